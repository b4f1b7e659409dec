from __future__ import annotations

from .transport import Transport
from .resources import Resources


class Gatehouse(Resources):
    """A client of a gateway. ``gatehouse.guests.list(event_id)`` answers a page of guests.

    ``token`` is an API token, which is sent as a header. Partners and exhibitors, whose token is part of a path, need
    none. ``deadline`` is how many seconds a request may take, with its retries.
    """

    def __init__(self, url: str, token: str | None = None, *, deadline: float = 60) -> None:
        super().__init__(Transport(url, token, deadline))
