"""Encodings, hashes and signatures of texts."""

from __future__ import annotations

import base64
import binascii
import gzip
import hashlib
import hmac
import html
import urllib.parse
import zlib

from services_app.engine.errors import invalid

_HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384", "sha3_512")


def bytes_to(data: bytes, form: str) -> str:
    """Bytes as "base64" or "hex"."""
    if form.lower() == "hex":
        return data.hex()
    if form.lower() in ("base64", "b64"):
        return base64.b64encode(data).decode()
    raise invalid(f"Unknown format {form!r}. Use base64 or hex.")


def bytes_from(text: str, form: str) -> bytes:
    try:
        if form.lower() == "hex":
            return bytes.fromhex(text)
        if form.lower() in ("base64", "b64"):
            clean = "".join(text.split())
            return base64.b64decode(clean + "=" * (-len(clean) % 4), validate=True)
    except (ValueError, binascii.Error) as error:
        raise invalid(f"The text is no {form}.", type="bad_encoding") from error
    raise invalid(f"Unknown format {form!r}. Use base64 or hex.")


def encoded(text: str, form: str) -> str:
    return bytes_to(text.encode(), form)


def decoded(text: str, form: str) -> str:
    try:
        return bytes_from(text, form).decode()
    except UnicodeDecodeError as error:
        raise invalid("The decoded bytes are no text.", type="bad_encoding") from error


def url_encoded(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def url_decoded(text: str) -> str:
    return urllib.parse.unquote(text)


def html_escaped(text: str) -> str:
    return html.escape(text)


def html_unescaped(text: str) -> str:
    return html.unescape(text)


def _algorithm(name: str) -> str:
    known = name.lower().replace("sha-", "sha").replace("-", "_")
    if known not in _HASHES:
        raise invalid(f"Unknown hash {name!r}. Use one of {', '.join(_HASHES)}.")
    return known


def hashed(text: str, algorithm: str = "sha256", form: str | None = None) -> str:
    """The hash of a text, in hexadecimal digits unless `form` asks for base64."""
    return bytes_to(hashlib.new(_algorithm(algorithm), text.encode(), usedforsecurity=False).digest(), form or "hex")


def checksum(text: str) -> str:
    """CRC-32 in eight hexadecimal digits."""
    return f"{zlib.crc32(text.encode()):08x}"


def signed(text: str, key: str, algorithm: str | None = None, form: str | None = None) -> str:
    """The HMAC of a text."""
    return bytes_to(hmac.new(key.encode(), text.encode(), _algorithm(algorithm or "sha256")).digest(), form or "hex")


def is_signed(text: str, signature: str, key: str, prefix: str = "") -> bool:
    """Whether `signature` is the base64 HMAC-SHA256 of `prefix` and text."""
    return hmac.compare_digest(signed(prefix + text, key, "sha256", "base64").encode(), signature.encode())


def compressed(text: str) -> str:
    """Gzip, without a time in its header, as base64."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
