"""MyMethod beside the paper's methods, on the same draws and with the same scores."""

from manyviews.baselines.my_method import MyMethod
from reproduction.papers.my_paper.paper import study

run = study.beside("MyMethod", MyMethod)
