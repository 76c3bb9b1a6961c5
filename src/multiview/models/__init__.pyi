from .plsa import PLSA as PLSA
from .pairwise_coplsa import PairwiseCoPLSA as PairwiseCoPLSA
