"""AES and DES after FIPS 197 and FIPS 46-3, in plain Python: for texts of a page, not for speed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache

from services_app.engine.errors import invalid
from services_app.recipes.encodings import bytes_from, bytes_to

Block = Callable[[bytes], bytes]
_LONGEST = 20_000


# --- AES ---


def _double(value: int) -> int:
    value <<= 1
    return value ^ 0x11B if value & 0x100 else value


def _times(value: int, factor: int) -> int:
    found = 0
    while factor:
        found ^= value if factor & 1 else 0
        value, factor = _double(value), factor >> 1
    return found


@lru_cache(maxsize=1)
def _boxes() -> tuple[bytes, bytes]:
    """The S-box and its inverse, from inverses in GF(2^8)."""
    box = bytearray(256)
    for value in range(256):
        inverse = next((other for other in range(256) if _times(value, other) == 1), 0)
        turned = inverse
        for _ in range(4):
            inverse = (inverse << 1 | inverse >> 7) & 0xFF
            turned ^= inverse
        box[value] = turned ^ 0x63
    back = bytearray(256)
    for value, image in enumerate(box):
        back[image] = value
    return bytes(box), bytes(back)


@lru_cache(maxsize=8)
def _product(factor: int) -> bytes:
    return bytes(_times(value, factor) for value in range(256))


def _aes_keys(key: bytes) -> list[bytes]:
    """The round keys, 16 bytes each."""
    box, _ = _boxes()
    size = len(key) // 4
    words = [key[at : at + 4] for at in range(0, len(key), 4)]
    constant = 1
    for number in range(size, 4 * (size + 7)):
        word = words[-1]
        if number % size == 0:
            word = bytes(box[byte] for byte in word[1:] + word[:1])
            word = bytes([word[0] ^ constant]) + word[1:]
            constant = _double(constant)
        elif size > 6 and number % size == 4:
            word = bytes(box[byte] for byte in word)
        words.append(_xor(word, words[number - size]))
    return [b"".join(words[at : at + 4]) for at in range(0, len(words), 4)]


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=False))


def _mixed(block: bytes, factors: Sequence[int]) -> bytes:
    tables = [_product(factor) for factor in factors]
    found = bytearray()
    for column in range(0, 16, 4):
        part = block[column : column + 4]
        found += bytes(
            tables[-row % 4][part[0]]
            ^ tables[(1 - row) % 4][part[1]]
            ^ tables[(2 - row) % 4][part[2]]
            ^ tables[(3 - row) % 4][part[3]]
            for row in range(4)
        )
    return bytes(found)


def _aes(key: bytes) -> tuple[Block, Block]:
    """(encrypt, decrypt) for one block of 16 bytes."""
    keys, (box, back) = _aes_keys(key), _boxes()
    ahead = [(at + 4 * (at % 4)) % 16 for at in range(16)]
    behind = [(at - 4 * (at % 4)) % 16 for at in range(16)]

    def encrypt(block: bytes) -> bytes:
        state = _xor(block, keys[0])
        for number, round_key in enumerate(keys[1:], 1):
            state = bytes(box[state[at]] for at in ahead)
            state = state if number == len(keys) - 1 else _mixed(state, (2, 3, 1, 1))
            state = _xor(state, round_key)
        return state

    def decrypt(block: bytes) -> bytes:
        state = block
        for number in range(len(keys) - 1, 0, -1):
            state = _xor(state, keys[number])
            state = state if number == len(keys) - 1 else _mixed(state, (14, 11, 13, 9))
            state = bytes(back[state[at]] for at in behind)
        return _xor(state, keys[0])

    return encrypt, decrypt


# --- DES ---

_START = [58 - 8 * (at % 8) + 2 * (at // 8 % 4) - (at // 32) for at in range(64)]
_EXPAND = [(4 * (at // 6) + at % 6 - 1) % 32 + 1 for at in range(48)]
_SPREAD = (
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
)  # fmt: skip
_FIRST = (
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
)  # fmt: skip
_SECOND = (
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
)  # fmt: skip
_TURNS = (1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1)
_TABLES = (
    "e4d12fb83a6c5907 0f74e2d1a6cb9538 41e8d62bfc973a50 fc8249175b3ea06d",
    "f18e6b34972dc05a 3d47f28ec01a69b5 0e7ba4d158c6932f d8a13f42b67c05e9",
    "a09e63f51dc7b428 d709346a285ecbf1 d6498f30b12c5ae7 1ad069874fe3b52c",
    "7de3069a1285bc4f d8b56f03472c1ae9 a690cb7df13e5284 3f06a1d8945bc72e",
    "2c417ab6853fd0e9 eb2c47d150fa3986 421bad78f9c5630e b8c71e2d6f09a453",
    "c1af92680d34e75b af427c9561de0b38 9ef528c3704a1db6 432c95fabe17608d",
    "4b2ef08d3c975a61 d0b7491ae35c2f86 14bdc37eaf680592 6bd814a7950fe23c",
    "d2846fb1a93e50c7 1fd8a374c56b0e92 7b419ce206adf358 21e74a8dfc90356b",
)
_S = [[[int(digit, 16) for digit in row] for row in table.split()] for table in _TABLES]


def _picked(bits: Sequence[int], places: Sequence[int]) -> list[int]:
    return [bits[place - 1] for place in places]


def _bits(data: bytes) -> list[int]:
    return [byte >> shift & 1 for byte in data for shift in range(7, -1, -1)]


def _bytes(bits: Sequence[int]) -> bytes:
    return bytes(int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits), 8))


def _des_keys(key: bytes) -> list[list[int]]:
    picked = _picked(_bits(key), _FIRST)
    left, right = picked[:28], picked[28:]
    keys = []
    for turn in _TURNS:
        left, right = left[turn:] + left[:turn], right[turn:] + right[:turn]
        keys.append(_picked(left + right, _SECOND))
    return keys


def _mangled(half: list[int], key: list[int]) -> list[int]:
    mixed = [a ^ b for a, b in zip(_picked(half, _EXPAND), key, strict=True)]
    found: list[int] = []
    for number in range(8):
        six = mixed[6 * number : 6 * number + 6]
        value = _S[number][six[0] * 2 + six[5]][six[1] * 8 + six[2] * 4 + six[3] * 2 + six[4]]
        found += [value >> shift & 1 for shift in (3, 2, 1, 0)]
    return _picked(found, _SPREAD)


def _des_block(block: bytes, keys: Sequence[list[int]]) -> bytes:
    bits = _picked(_bits(block), _START)
    left, right = bits[:32], bits[32:]
    for key in keys:
        left, right = right, [a ^ b for a, b in zip(left, _mangled(right, key), strict=True)]
    both, found = right + left, [0] * 64
    for at, place in enumerate(_START):
        found[place - 1] = both[at]
    return _bytes(found)


def _des(key: bytes) -> tuple[Block, Block]:
    """(encrypt, decrypt) for one block of 8 bytes; with 24 bytes of key, three times."""
    parts = [_des_keys(key[at : at + 8]) for at in range(0, len(key), 8)]

    def encrypt(block: bytes) -> bytes:
        for number, keys in enumerate(parts):
            block = _des_block(block, keys if number % 2 == 0 else keys[::-1])
        return block

    def decrypt(block: bytes) -> bytes:
        for number, keys in reversed(list(enumerate(parts))):
            block = _des_block(block, keys[::-1] if number % 2 == 0 else keys)
        return block

    return encrypt, decrypt


# --- modes and padding ---

_SIZES = {"aes": (16, (16, 24, 32)), "des": (8, (8,)), "tripledes": (8, (24,))}


def _padded(data: bytes, size: int, padding: str, rng: random.Random) -> bytes:
    rest = size - len(data) % size
    match padding:
        case "pkcs7" | "pkcs5":
            return data + bytes([rest]) * rest
        case "ansix923":
            return data + bytes(rest - 1) + bytes([rest])
        case "iso10126":
            return data + rng.randbytes(rest - 1) + bytes([rest])
        case "iso97971":
            return data + b"\x80" + bytes(rest - 1)
        case "zeropadding" | "zero":
            return data + bytes(rest % size)
        case "nopadding" | "none":
            return data
    raise invalid(f"Unknown padding {padding!r}. Use Pkcs7, Iso97971, AnsiX923, Iso10126, ZeroPadding or NoPadding.")


def _unpadded(data: bytes, size: int, padding: str) -> bytes:
    if padding in ("pkcs7", "pkcs5", "ansix923", "iso10126"):
        count = data[-1] if data else 0
        wrong = not 1 <= count <= size or (padding.startswith("pkcs") and data[-count:] != bytes([count]) * count)
        if wrong:
            raise invalid("The text was not encrypted with this key, mode and padding.", type="bad_decrypt")
        return data[:-count]
    if padding == "iso97971":
        return data.rstrip(b"\0").removesuffix(b"\x80")
    return data.rstrip(b"\0") if padding in ("zeropadding", "zero") else data


def _blocks(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def _chained(data: bytes, mode: str, vector: bytes, cipher: tuple[Block, Block], *, forward: bool) -> bytes:
    encrypt, decrypt = cipher
    found, last, size = [], vector, len(vector)
    counter = int.from_bytes(vector, "big")
    for number, block in enumerate(_blocks(data, size)):
        match mode:
            case "ecb":
                made = encrypt(block) if forward else decrypt(block)
            case "cbc" if forward:
                made = last = encrypt(_xor(block, last))
            case "cbc":
                made, last = _xor(decrypt(block), last), block
            case "cfb":
                made = _xor(block, encrypt(last))
                last = made if forward else block
            case "ofb":
                last = encrypt(last)
                made = _xor(block, last)
            case "ctr":
                made = _xor(block, encrypt(((counter + number) % (1 << 8 * size)).to_bytes(size, "big")))
            case _:
                raise invalid(f"Unknown mode {mode!r}. Use ECB, CBC, CFB, OFB or CTR.")
        found.append(made)
    return b"".join(found)


def _prepared(algorithm: str, key: str, vector: str, mode: str) -> tuple[tuple[Block, Block], bytes]:
    size, lengths = _SIZES[algorithm]
    secret, start = key.encode(), vector.encode()
    if len(secret) not in lengths:
        raise invalid(f"The key must have {' or '.join(map(str, lengths))} bytes, not {len(secret)}.", type="bad_key")
    if mode == "ecb":
        start = bytes(size)
    elif len(start) != size:
        raise invalid(f"The IV must have {size} bytes, not {len(start)}.", type="bad_iv")
    return (_aes if algorithm == "aes" else _des)(secret), start


def encrypt(
    rng: random.Random,
    text: str,
    key: str,
    algorithm: str,
    iv: str | None = None,
    mode: str | None = None,
    padding: str | None = None,
    output: str | None = None,
) -> str:
    """`text` encrypted, as base64 or hex. Key and IV are UTF-8 text of the size that the cipher needs."""
    kind = (mode or "ECB").lower()
    cipher, start = _prepared(algorithm, key, iv or "", kind)
    data = _padded(_limited(text.encode()), len(start), (padding or "Pkcs7").lower(), rng)
    if len(data) % len(start) and kind in ("ecb", "cbc"):
        raise invalid(f"Without padding the text must fill blocks of {len(start)} bytes.")
    return bytes_to(_chained(data, kind, start, cipher, forward=True), output or "base64")


def decrypt(
    text: str,
    key: str,
    algorithm: str,
    iv: str | None = None,
    mode: str | None = None,
    padding: str | None = None,
    source: str | None = None,
) -> str:
    """What was encrypted, as text; 422 when the key, the mode or the padding is another."""
    kind = (mode or "ECB").lower()
    cipher, start = _prepared(algorithm, key, iv or "", kind)
    data = _limited(bytes_from(text, source or "base64"))
    if len(data) % len(start) and kind in ("ecb", "cbc"):
        raise invalid(f"The encrypted text does not fill blocks of {len(start)} bytes.", type="bad_decrypt")
    plain = _unpadded(_chained(data, kind, start, cipher, forward=False), len(start), (padding or "Pkcs7").lower())
    try:
        return plain.decode()
    except UnicodeDecodeError as error:
        raise invalid("The text was not encrypted with this key and mode.", type="bad_decrypt") from error


def _limited(data: bytes) -> bytes:
    if len(data) > _LONGEST:
        raise invalid(f"At most {_LONGEST} bytes can be encrypted at once.")
    return data
