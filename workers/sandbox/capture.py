"""Head and tail of a stream that may never end, in bounded memory."""

from workers.sandbox.limits import KEPT_OUTPUT_BYTES


class Capture:
    """Keeps the first and the last bytes it was fed and counts the rest."""

    def __init__(self, kept: int = KEPT_OUTPUT_BYTES) -> None:
        self._kept = kept
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def feed(self, data: bytes) -> None:
        """Add the next bytes of the stream."""
        self.total += len(data)
        room = self._kept - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > self._kept:
            del self._tail[: -self._kept]

    def text(self) -> str:
        """What was kept, with a line in the middle that says how much is missing."""
        missing = self.total - len(self._head) - len(self._tail)
        middle = f"\n[... {missing:,} bytes left out ...]\n" if missing else ""
        return self._head.decode("utf-8", "replace") + middle + self._tail.decode("utf-8", "replace")
