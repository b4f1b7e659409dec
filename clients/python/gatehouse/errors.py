from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .types import CodedError, FieldCodes, FieldErrors

#: What each refusal means, by status. A status that is not here comes from something between the client and Gatehouse.
CODES = {
    0: "unanswered",
    400: "malformed",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    406: "not_acceptable",
    409: "conflict",
    413: "too_large",
    415: "unsupported",
    422: "invalid",
    429: "too_many",
    503: "unavailable",
}


class GatehouseError(Exception):
    """A request that was refused, or got no answer."""

    #: The HTTP status; 0 if there was no answer.
    status: int
    #: The kind of the refusal: "not_found"; "unanswered" if no answer came in time.
    code: str
    #: The wrong fields of a request that is "invalid", otherwise empty.
    errors: FieldErrors
    #: The same as codes: {"last_name": [{"code": "blank"}]}.
    codes: FieldCodes
    #: What stands in the way of a request that is a "conflict", where it has a code.
    reason: CodedError | None
    #: Seconds after which another try may succeed, if the answer says so.
    retry_after: int | None

    def __init__(self, status: int, body: Any = None, retry_after: int | None = None) -> None:
        said = body if isinstance(body, dict) else {}
        self.status = status
        self.code = CODES.get(status, "unknown")
        self.errors = said.get("errors", {})
        self.codes = said.get("codes", {})
        self.retry_after = retry_after
        code = said.get("code")
        is_reason = code is not None and code != self.code
        self.reason = {name: said[name] for name in ("code", "values") if name in said} if is_reason else None  # type: ignore[assignment]
        wrong = ", ".join(f"{field} {' and '.join(messages)}" for field, messages in self.errors.items())
        sentence = said.get("detail") or said.get("error")
        super().__init__(wrong or sentence or (f"The answer is {status}" if status else "There was no answer"))
