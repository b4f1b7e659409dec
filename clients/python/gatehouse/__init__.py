"""A typed client of Gatehouse's HTTP API."""

from . import types
from .client import Gatehouse
from .errors import GatehouseError
from .version import VERSION as __version__
from .webhooks import is_genuine

__all__ = ["Gatehouse", "GatehouseError", "__version__", "is_genuine", "types"]
