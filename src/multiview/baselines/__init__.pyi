from .coreg_spectral import CoRegularisedSpectral as CoRegularisedSpectral
from .one_table import ConcatenatedViews as ConcatenatedViews
from .one_table import PLSAClustering as PLSAClustering
from .one_table import SingleView as SingleView
from .view_selection import ViewSelector as ViewSelector
from .vote_plsa import VotePLSA as VotePLSA
