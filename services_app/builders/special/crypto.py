"""Hashes, signatures, ciphers and encodings of texts."""

from __future__ import annotations

from services_app.builders.special.formula import Formula, Slot

_TEXT = "input|text|content|data|string|message|value|plaintext|payload|str"
_FORM = "(output|result|input)?_?(format|encoding)"
_ONE = (Slot("text", _TEXT),)
# Published test values: FIPS 180 and RFC 1321 for "abc", RFC 4648 for the encodings.
_HASHES = {
    "md5": "900150983cd24fb0d6963f7d28e17f72",
    "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
    "sha224": "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
    "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "sha384": ("cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"),
    "sha512": (
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
}


def _hash(name: str, digest: str) -> Formula:
    spelled = name if name == "md5" else f"sha_?{name[3:]}"
    return Formula(
        rf"({spelled})(_hash|_sum)?|(hash|generate)_{spelled}(_hash)?", "encodings.hashed", _ONE,
        f"The {name} hash of a text in hexadecimal digits.", fixed={"algorithm": name}, golden=(({"text": "abc"},
            digest),),
    )  # fmt: skip


def _code(names: str, function: str, about: str, given: str, made: str, form: str = "") -> Formula:
    fixed = {"form": form} if form else {}
    return Formula(
        names, f"encodings.{function}", _ONE, about, fixed=fixed, golden=(({"text": given}, made),),
        examples=({"text": given + given if len(given) % 4 == 0 else given},),
    )  # fmt: skip


def _cipher(name: str, key: str, iv: str, ecb: str, cbc: str) -> tuple[Formula, Formula]:
    """Encryption and decryption, worked out with another implementation for the text "hello"."""
    slots = (
        Slot("text", f"{_TEXT}|ciphertext|encrypted(_text)?"),
        Slot("key", "key|secret(_key)?|password"),
        Slot("iv", "iv|initialization_vector|nonce", optional=True),
        Slot("mode", "mode", optional=True),
        Slot("padding", "padding", optional=True),
    )
    label = "tripledes" if name == "3des" else name
    names = r"(3des|triple_?des|des_?ede3)" if name == "3des" else name
    common = {"key": key, "iv": iv, "padding": "Pkcs7"}
    forward = tuple(
        ({**common, "text": "hello", "mode": mode, "output": "base64"}, made)
        for mode, made in (("CBC", cbc), ("ECB", ecb))
    )
    back = tuple(
        ({**common, "text": made, "mode": mode, "source": "base64"}, "hello")
        for mode, made in (("CBC", cbc), ("ECB", ecb))
    )
    return (
        Formula(
            rf"{names}_encrypt(ion)?|encrypt_{names}", "ciphers.encrypt", (*slots, Slot("output", _FORM,
                optional=True)),
            f"A text encrypted with {name.upper()}.", fixed={"algorithm": label}, context={"rng": "ctx.random"},
            golden=forward, examples=({"text": "hello", "key": key, "output": "hex"}, {"text": "hello", "key": key,
                "padding": "AnsiX923"}),
        ),
        Formula(
            rf"{names}_decrypt(ion)?|decrypt_{names}", "ciphers.decrypt", (*slots, Slot("source", _FORM,
                optional=True)),
            f"A text decrypted with {name.upper()}.", fixed={"algorithm": label}, golden=back,
            examples=({"text": ecb, "key": key},),
        ),
    )  # fmt: skip


FORMULAS: tuple[Formula, ...] = (
    *(_hash(name, digest) for name, digest in _HASHES.items()),
    Formula(
        r"(generate_|calculate_|compute_)?hash(_text|_string)?", "encodings.hashed",
        (
            Slot("text", _TEXT),
            Slot("algorithm", "algorithm|algo|hash_type|type|method", optional=True),
            Slot("form", _FORM, optional=True),
        ),
        "The hash of a text.", cue=r"\b(md5|sha)", golden=(({"text": "abc", "algorithm": "sha256"},
            _HASHES["sha256"]),),
    ),
    Formula(
        r"(generate_|calculate_|compute_)?hmac(_sha256)?", "encodings.signed",
        (
            Slot("text", _TEXT),
            Slot("key", "key|secret(_key)?"),
            Slot("algorithm", "algorithm|algo|hash", optional=True),
            Slot("form", _FORM, optional=True),
        ),
        "The HMAC of a text.",
        golden=(({"text": "The quick brown fox jumps over the lazy dog", "key": "key"},
                 "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"),),
    ),
    *_cipher("aes", "your-key-0123456", "your-iv-01234567", "KNf765OwfwZ0ISKyOrWCTw==", "5SWLBmjv38f4mliqFW9l3g=="),
    *_cipher("des", "your-key", "your-iv-", "2v0kBFPLR5c=", "ct9ftyk6KwQ="),
    *_cipher("3des", "your-key-0123456-abcdefg", "your-iv-", "dEDV36pd8CE=", "i8lI/f3n+h8="),
    _code("base64_encode|encode_base64|to_base64", "encoded", "A text as base64.", "Hello Garden", "SGVsbG8gR2FyZGVu",
        "base64"),
    _code("base64_decode|decode_base64|from_base64", "decoded", "The text of a base64.", "SGVsbG8gR2FyZGVu",
        "Hello Garden",
        "base64"),
    _code("hex_encode|encode_hex|to_hex", "encoded", "The bytes of a text in hexadecimal digits.", "Garden",
        "47617264656e",
        "hex"),
    _code("hex_decode|decode_hex|from_hex", "decoded", "The text of hexadecimal digits.", "47617264656e", "Garden",
        "hex"),
    _code("url_encode|encode_url|encode_uri(_component)?", "url_encoded", "A text fit for a URL.", "a b&c",
        "a%20b%26c"),
    _code("url_decode|decode_url|decode_uri(_component)?", "url_decoded", "The text of a URL's part.", "a%20b", "a b"),
    _code("html_(escape|encode)|(escape|encode)_html", "html_escaped", "A text fit for HTML.", "<b>", "&lt;b&gt;"),
    _code("html_(unescape|decode)|(unescape|decode)_html", "html_unescaped", "The text of HTML.", "&lt;b&gt;", "<b>"),
    _code("crc_?32", "checksum", "The CRC-32 of a text.", "123456789", "cbf43926"),
)  # fmt: skip
