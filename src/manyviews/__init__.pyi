from .views import Views as Views

__version__: str
