"""Servers that edit text documents by their file name: paragraphs, headings, tables, notes."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.special.calls import Model, Operation, call_plan, keys_of
from services_app.recipes import document_reads, document_writes
from services_app.specs.model import ToolSpec

_R, _W = document_reads, document_writes
_FONT = "bold|italic|underline|color|font_name|font_size|border_bottom"
_CELLS = (
    f"{_FONT}|\\w*color\\d?|pattern|border_style|shading|has_header_row|horizontal|vertical|width(_type|s)?|unit"
    "|top|bottom|left|right"
)


def _cells(name: str, what: str = "table") -> Operation:
    return Operation(name, _W.format_cells, {"text": "text_content"}, {"format_": _CELLS}, {"what": what})


def _note(name: str, kind: str = "footnote") -> Operation:
    return Operation(name, _W.add_note, {"text": "(footnote|endnote)_text"}, fixed={"kind": kind})


OPERATIONS = (
    Operation("_create_document_$", _W.create_document, samples={"filename": ("/fresh.docx",)}),
    Operation(
        "_copy_document_", _W.copy_document, {"source": "source_filename", "destination": "destination_filename"}
    ),
    Operation("_document_info_", _R.document_info),
    Operation("_document_outline_", _R.document_outline),
    Operation("_document_xml_", _R.document_xml),
    Operation("_paragraph_text\\w*_", _R.paragraph_text),
    Operation("_find_text_in_document_", _R.find_text, {"text": "text_to_find"}),
    Operation("_get_document_text_", _R.document_text),
    Operation("_list_available_documents_", _R.list_documents),
    Operation(
        "_insert_header_near_",
        _W.insert_near,
        {"text": "header_title", "style": "header_style"},
        fixed={"kind": "heading"},
    ),
    Operation(
        "_insert_line\\w*_near_",
        _W.insert_near,
        {"text": "line_text", "style": "line_style"},
        fixed={"kind": "paragraph"},
    ),
    Operation("_insert_numbered_list_near_", _W.insert_near, fixed={"kind": "item"}),
    Operation("_add_paragraph_", _W.append_block, collects={"format_": _FONT}, fixed={"kind": "paragraph"}),
    Operation("_add_heading_", _W.append_block, collects={"format_": _FONT}, fixed={"kind": "heading"}),
    Operation("_add_picture_", _W.append_block, {"text": "image_path"}, {"format_": "width"}, {"kind": "picture"}),
    Operation("_add_page_break_", _W.append_block, collects={"format_": "nothing"}, fixed={"kind": "break"}),
    Operation("_add_table_", _W.append_table, needs="filename"),
    Operation("_delete_paragraph_", _W.delete_paragraph),
    Operation("_search_and_replace_", _W.replace_words),
    Operation("_create_custom_style_", _W.create_style, {"name": "style_name"}, {"format_": _FONT}),
    Operation("_format_text_", _W.format_letters, collects={"format_": _FONT}),
    Operation(
        "_merge_table_cells_(horizontal_|vertical_)?$", _W.merge_table_cells, samples={"row": (1,), "column": (0,)}
    ),
    _cells("_apply_table_alternating_rows_", "alternating rows"),
    _cells("_highlight_table_header_", "header row"),
    _cells("_(format_table|set_table_width|auto_fit_table_columns|set_table_alignment_all|set_table_column_widths)_"),
    _cells("_(set_table_cell_\\w+|set_table_column_width|format_table_cell_text)_$"),
    Operation(
        "_unprotect_document_", _W.unprotect, after=("protect", {"filename": "/report.docx", "password": "secret-7"})
    ),
    Operation("_protect_document_", _W.protect),
    Operation(
        "_customize_footnote_style_", _W.set_note_style, collects={"format_": f"{_FONT}|numbering_format|start_number"}
    ),
    Operation("_validate_document_footnotes_", _R.check_footnotes),
    Operation("_delete_footnote\\w*_", _W.delete_note, samples={"near": ("prices",)}),
    _note("_add_endnote\\w*_", "endnote"),
    _note("_add_footnote\\w*_"),
    Operation("_convert_to_pdf_", _W.print_document),
    Operation("_replace_paragraph_block_below_header_", _W.replace_below),
    Operation(
        "_replace_block_between\\w*_", _W.replace_below, samples={"heading": ("Costs",), "until": ("Next steps",)}
    ),
    Operation("_comments_(by|for)_|_all_comments_", _R.list_comments, needs="filename"),
)
WORDS = Model(
    operations=OPERATIONS,
    vocabulary={
        "filename": "filename|file_path|document_path",
        "title": "title",
        "author": "author",
        "directory": "directory",
        "index": "(target_)?paragraph_index",
        "near": "target_text|search_text",
        "position": "position",
        "items": "list_items",
        "bullet": "bullet_type",
        "text": "text",
        "style": "style|new_paragraph_style",
        "level": "level",
        "rows": "rows",
        "columns": "cols|columns",
        "data": "data",
        "find": "find_text",
        "replace": "replace_text",
        "base": "base_style",
        "start": "start_pos",
        "end": "end_pos",
        "table": "table_index",
        "row": "(start_)?row(_index)?",
        "column": "(start_)?col(_index)?",
        "end_row": "end_row",
        "end_column": "end_col",
        "password": "password",
        "number": "footnote_id",
        "output": "output_filename",
        "case": "match_case",
        "whole": "whole_word",
        "heading": "header_text|start_anchor_text",
        "until": "end_anchor_text",
        "texts": "new_paragraphs",
    },
    fixtures=(Fixture("text_documents", "Document", "services_app.recipes.document", "seed_documents"),),
    steady=(
        ("auto_repair|clean_orphans|validate_location", "notes of a simulated document are never broken"),
        ("\\w+_fn", "a function cannot be sent; headings end a block"),
    ),
    noun="document",
    samples={
        "filename": ("/report.docx", "/minutes.docx"),
        "source": ("/report.docx",),
        "destination": ("/second.docx",),
        "directory": ("/",),
        "index": (3, 1),
        "near": ("prices", "begins"),
        "header_style": ("Heading 2",),
        "line_style": ("Quote",),
        "items": (["Paint", "Doors"],),
        "bullet": ("bullet", "number"),
        "position": ("before", "after"),
        "text": ("A new line",),
        "find": ("supplier",),
        "replace": ("builder",),
        "text_to_find": ("costs", "the", "a"),
        "start": (0,),
        "end": (3,),
        "table": (0,),
        "row": (1,),
        "column": (1,),
        "end_row": (2,),
        "end_column": (1,),
        "password": ("secret-7",),
        "number": (1,),
        "output": ("/other.docx",),
        "heading": ("Costs",),
        "texts": (["One.", "Two."],),
        "rows": (2,),
        "columns": (2,),
        "data": ([["a", "b"], ["c", "d"]],),
        "name": ("Remark",),
        "bold": (True,),
        "font_size": (14,),
        "author": ("Mei Tanaka", "Aisha Khan"),
    },
)


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a tool that edits a document; None where the server, or the tool, is of another kind."""
    operation = WORDS.operation_of(tool, keys_of(reader, tool))
    if operation is None or not _edits_documents(reader):
        return None
    return call_plan(reader, tool, WORDS, operation)


def _edits_documents(reader: Reader) -> bool:
    """Whether most tools of a server name a file, and several are about paragraphs or headings of it."""
    keys = [keys_of(reader, tool) for tool in reader.spec.tools]
    files = sum(any(re.fullmatch("filename|document_path", key) for key in one) for one in keys)
    found = [WORDS.operation_of(tool, keys_of(reader, tool)) for tool in reader.spec.tools]
    does = {one.function.__name__ for one in found if one is not None}
    return (
        2 * files >= len(keys) and len({"append_block", "insert_near", "delete_paragraph", "replace_words"} & does) >= 2
    )
