from .mip import CvxpyReference as CvxpyReference
from .ontology import Ontology as Ontology
from .problem import Assignment as Assignment
from .problem import LabelSetProblem as LabelSetProblem
from .solve import solve as solve
