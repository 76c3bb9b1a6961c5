from .checks import check_multiview_estimator as check_multiview_estimator
from .checks import multiview_checks as multiview_checks
from .data import Case as Case
from .data import random_case as random_case
from .malformed import malformed_labels as malformed_labels
from .malformed import malformed_views as malformed_views
