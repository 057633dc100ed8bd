"""Servers that work on workbooks: a path, a sheet and an A1 range, on a grid of cells."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.special.calls import Model, Operation, call_plan, keys_of
from services_app.recipes import sheet_marks, sheet_reads, sheet_writes
from services_app.specs.model import ToolSpec

_M, _R, _W = sheet_marks, sheet_reads, sheet_writes
_FILE = "(file_?path|file_absolute_path|input_path|workbook_path|excel_path|filename|file_name)"
_SHEET = "(sheet|worksheet|old|source_sheet|src_sheet)(_name)?"
_STYLE = (
    "bold|italic|underline|font_\\w+|bg_color|border_\\w+|number_format|alignment|wrap_text|protection"
    "|conditional_format"
)
VOCABULARY = {
    "filepath": _FILE,
    "sheet": _SHEET,
    "name": "(new|target|dst|destination)(_sheet)?(_name)?|target_sheet",
    "start": "start_cell|top_left_cell|range|source_start|start",
    "end": "end_cell|bottom_right_cell|source_end|end",
    "cell": "cell(_name|_address)?",
    "cells": "cell_(name_)?list|cells",
    "preview": "preview_only",
    "formulas": "show_formula",
    "styles": "show_style",
    "text": "search_string|query|search_text",
    "exact": "exact_match",
    "ranges": "include_ranges",
    "formula": "formula",
    "values": "data|values",
    "new": "new_sheet",
    "merge": "merge_cells",
    "at": "start_(row|col|column)|row|column|index",
    "count": "count|number",
    "target": "target_(start|cell)",
    "target_sheet": "target_sheet",
    "shift": "shift_direction",
    "range": "data_range|range|table_range",
    "kind": "chart_type",
    "title": "title",
    "x_axis": "x_axis",
    "y_axis": "y_axis",
    "rows": "rows",
    "columns": "columns",
    "measure": "agg_func",
    "style": "table_style",
    "headers": "include_headers",
}
OPERATIONS = (
    Operation("_validate_formula", _R.check_cell_formula, needs="formula"),
    Operation("_(apply|set|write)_formula_", _W.write_formula, needs="formula"),
    Operation("_validate_\\w*range_", _R.check_range),
    Operation("_(insert|add)_(sheet_)?rows_", _W.insert_rows, needs="start_row|row|index"),
    Operation("_(insert|add)_(sheet_)?columns_", _W.insert_columns, needs="start_col(umn)?|column|index"),
    Operation("_(delete|remove)_(sheet_)?rows_", _W.delete_rows, needs="start_row|row|index"),
    Operation("_(delete|remove)_(sheet_)?columns_", _W.delete_columns, needs="start_col(umn)?|column|index"),
    Operation("_delete_range_", _W.delete_range),
    Operation("_copy_range_", _W.copy_range, {"sheet": "sheet_name"}),
    Operation("_unmerge_cells_", _M.unmerge_cells, samples={"start": ("F1",), "end": ("G1",)}),
    Operation("_merge_cells_", _M.merge_cells, samples={"start": ("F3",), "end": ("G4",)}),
    Operation("_(get_)?merged_cells_", _R.marked, fixed={"kind": "merged"}),
    Operation("_data_validation_info_", _R.marked, fixed={"kind": "validation"}),
    Operation(
        "_format_range_",
        _M.format_range,
        collects={"style": _STYLE},
        samples={"start": ("A1", "F3"), "end": ("D1", "G4")},
    ),
    Operation("_create_pivot", _M.create_pivot, samples={"rows": (["Item"],), "values": (["Cost"],)}),
    Operation("_create_chart_", _M.create_chart),
    Operation("_create_table_", _M.create_table, {"name": "table_name"}),
    Operation("_create_workbook_", _W.create_workbook, samples={"filepath": ("/reports/new.xlsx",)}),
    Operation("_(create|add)_(work)?sheet_", _W.create_sheet, samples={"sheet": ("Extra",)}),
    Operation("_copy_(work)?sheet_", _W.copy_sheet),
    Operation("_rename_(work)?sheet_", _W.rename_sheet),
    Operation("_delete_(work)?sheet_", _W.delete_sheet, samples={"sheet": ("Notes",)}),
    Operation("_(workbook_metadata|list_of_sheets|list_sheets|describe_sheets|get_sheets)_", _R.list_sheets),
    Operation("_get_cell_value_", _R.cell_value),
    Operation("_get_cell(_details)?_", _R.read_cell),
    Operation("_cell_list_", _R.cell_values),
    Operation("_search_in_cell_range_|_search_(cells|range|sheet)_", _R.search_range),
    Operation("_(values_of_cell_range|read_range|read_sheet|read_data_from_excel|read_data)_", _R.read_range),
    Operation("_(write_data_to_excel|write_to_sheet|write_range|write_cells|update_cells)_", _W.write_range),
    Operation("_(export|to)_csv_|_sheet_to_csv_", _R.as_csv),
    Operation("_excel_read_", _R.sheet_rows),
)
_MODULE = "services_app.recipes.sheet"
SHEETS = Model(
    operations=OPERATIONS,
    vocabulary=VOCABULARY,
    fixtures=(
        Fixture("grid_workbooks", "Workbook", _MODULE, "seed_workbooks"),
        Fixture("grid_sheets", "Sheet", _MODULE, "seed_sheets"),
        Fixture("grid_cells", "Cell", _MODULE, "seed_cells"),
    ),
    steady=(),
    noun="workbook",
    samples={
        "filepath": ("/reports/costs.xlsx",),
        "sheet": ("Costs",),
        "name": ("Costs copy",),
        "start": ("A1",),
        "end": ("D6",),
        "cell": ("C3", "B2"),
        "cells": (["A1", "B2"],),
        "text": ("a", "Paint"),
        "formula": ("=SUM(B2:B5)",),
        "values": ([["Chairs", 60], ["Desk", 210]],),
        "at": (2, 3),
        "count": (2,),
        "target": ("F8",),
        "target_sheet": ("Plan",),
        "range": ("A10:B11",),
        "data_range": ("A1:D5",),
        "kind": ("bar", "line"),
        "rows": (["Item"],),
        "measure": ("sum",),
        "title": ("Costs",),
        "shift": ("up", "left"),
        "table_name": ("Second",),
        "bold": (True,),
        "font_size": (14,),
    },
)


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a tool of a workbook server; None where the tool is of another kind."""
    operation = SHEETS.operation_of(tool, keys_of(reader, tool))
    if operation is None or not _keeps_sheets(reader):
        return None
    return call_plan(reader, tool, SHEETS, operation)


def _keeps_sheets(reader: Reader) -> bool:
    """Whether most tools of a server name a file, and some a sheet."""
    keys = [keys_of(reader, tool) for tool in reader.spec.tools]
    files = sum(any(re.fullmatch(_FILE, key) for key in one) for one in keys)
    sheets = sum(any(re.fullmatch("(sheet|worksheet)_name", key) for key in one) for one in keys)
    return 2 * files >= len(keys) and sheets >= 2
