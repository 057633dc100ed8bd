"""Log lines that every file and terminal can take."""

import logging

from webapp.common import clean


class CleanFormatter(logging.Formatter):
    """Replaces what UTF-8 cannot write: messages quote model output, and half a surrogate pair would lose the line."""

    def format(self, record: logging.LogRecord) -> str:
        return clean.text(super().format(record))
