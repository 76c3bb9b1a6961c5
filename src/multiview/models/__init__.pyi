from .plsa import PLSA as PLSA
from .pairwise_coplsa import PairwiseCoPLSA as PairwiseCoPLSA
from .multiview_kmeans import MultiViewKMeans as MultiViewKMeans
from .multi_view_pa import MultiViewPassiveAggressive as MultiViewPassiveAggressive
from .passive_aggressive import PassiveAggressive as PassiveAggressive
from .two_view_pa import TwoViewPassiveAggressive as TwoViewPassiveAggressive
from .dplsa import DPLSA as DPLSA
from .mvplsa import MVPLSA as MVPLSA
