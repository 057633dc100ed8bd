"""Spreadsheets: workbooks of sheets whose formulas are worked out."""

from services_app.library.spreadsheets import comments, guards, reading, seed, structure, workbooks, writing
from services_app.library.spreadsheets.state import service

__all__ = ["comments", "guards", "reading", "seed", "service", "structure", "workbooks", "writing"]
