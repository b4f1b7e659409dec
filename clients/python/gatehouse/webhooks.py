from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping

#: How many seconds old a request may be, or ahead.
TOLERANCE = 300


def is_genuine(secret: str, headers: Mapping[str, str], body: bytes | str) -> bool:
    """Whether a webhook's request comes from Gatehouse and is not an old one.

    ``secret`` is the account's, from ``gatehouse.webhook_secrets.read()``; ``body`` is the request's as it came, before
    anything parses it.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        stamp = given["webhook-timestamp"]
        if not abs(time.time() - int(stamp)) < TOLERANCE:
            return False
        text = body.encode() if isinstance(body, str) else body
        signed = f"{given['webhook-id']}.{stamp}.".encode() + text
        signatures = given["webhook-signature"].encode().split()
    except (KeyError, ValueError):
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # For a day after a new secret was made, the old one signs too.
    return any([hmac.compare_digest(each, expected) for each in signatures])
