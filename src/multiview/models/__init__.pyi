from .plsa import PLSA as PLSA
