from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import GatehouseError
from .version import VERSION

#: Refusals have their codes only in problem+json.
ACCEPT = "application/json, application/problem+json"
#: Nothing was done, or it is unknown what was. 502 and 504 are a proxy's, while a gateway starts.
PASSING = {429, 502, 503, 504}
FIRST_PAUSE = 0.1
MAX_PAUSE = 5.0


def quoted(value: str) -> str:
    """A value as a step of a path."""
    return urllib.parse.quote(value, safe="")


class _Unredirected(urllib.request.HTTPRedirectHandler):
    """The token goes to no other address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Sends requests to a gateway, again where that does no harm."""

    def __init__(self, url: str, token: str | None, deadline: float) -> None:
        self._url = url.rstrip("/")
        self._deadline = deadline
        self._headers = {"Accept": ACCEPT, "User-Agent": f"gatehouse-python/{VERSION}"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._opener = urllib.request.build_opener(_Unredirected)

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content: bytes | None = None,
        content_type: str = "application/json",
        key: str | None = None,
        prefer: str | None = None,
        is_file: bool = False,
    ) -> Any:
        """The answer as JSON, or the bytes of a file. Raises GatehouseError."""
        headers = dict(self._headers)
        data = content if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = content_type
        if method == "POST":
            headers["Idempotency-Key"] = key or str(uuid.uuid4())
        if prefer is not None:
            headers["Prefer"] = prefer
        request = urllib.request.Request(self._url + path + _query(query or {}), data, headers, method=method)
        status, text, retry_after = self._answered(request, is_repeatable=method in ("GET", "POST"))
        if status < 300 and is_file:
            return text
        parsed = _parsed(text)
        # Of a batch some items are refused, each in its place. It is an answer like another.
        if status < 300 or isinstance(parsed, list):
            return parsed
        raise GatehouseError(status, parsed, retry_after)

    def pages(self, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        """The items of a list, page after page, until one is empty."""
        page = 1
        while items := self.send("GET", path, query={**query, "page": page}):
            yield from items
            page += 1

    def _answered(self, request: urllib.request.Request, is_repeatable: bool) -> tuple[int, bytes, int | None]:
        """The last answer, when the deadline would be over before the next try."""
        until = time.monotonic() + self._deadline
        pause = FIRST_PAUSE
        while True:
            failure: Exception | None = None
            status, text, retry_after = 0, b"", None
            try:
                status, text, retry_after = self._once(request, max(until - time.monotonic(), 0.001))
            except (OSError, http.client.HTTPException) as error:
                failure = error
            is_passing = status in PASSING or status == 0 or (status == 409 and retry_after is not None)
            # With jitter, since many may wait for the same service.
            wait = (retry_after or 0) + pause * random.uniform(0.5, 1)
            if not is_repeatable or not is_passing or time.monotonic() + wait > until:
                if failure is not None:
                    raise GatehouseError(0) from failure
                return status, text, retry_after
            time.sleep(wait)
            pause = min(pause * 2, MAX_PAUSE)

    def _once(self, request: urllib.request.Request, timeout: float) -> tuple[int, bytes, int | None]:
        try:
            answer = self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        with answer:
            after = answer.headers.get("Retry-After", "")
            return answer.status, answer.read(), int(after) if after.isdigit() else None


def _query(query: Mapping[str, Any]) -> str:
    given = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in query.items()
        if value is not None
    }
    return f"?{urllib.parse.urlencode(given, doseq=True)}" if given else ""


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
