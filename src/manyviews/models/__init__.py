"""The five papers' estimators.

Names are loaded on first use, so that importing one module does not load (or depend on) the rest.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
