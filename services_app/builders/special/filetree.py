"""Servers that read and write files: paths and contents, on a tree of files."""

from __future__ import annotations

import re
from dataclasses import replace

from services_app.builders.entities import Reader
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.special.calls import Model, Operation, call_plan, keys_of
from services_app.recipes import file_conversions, file_reads, file_writes
from services_app.specs.model import ToolSpec

_C, _R, _W = file_conversions, file_reads, file_writes
_PATH = (
    "(file|directory|dir|folder|target|full|absolute|relative|input)?_?path|filepath|filename|file_name|directory|dir|folder"
    "|search_path"
)
_CONTENT = "content|contents|text|data"
_NO_SERVICE = "id|\\w+_id|repo|owner|sheet_name|repo_path|repo_url|bucket|project|site|drive|branch"
_OUTPUT = "output_(dir|path|directory)"
_HTML = {"path": ("/documents/page.html",)}
_CONVERSIONS = (
    Operation(
        "_pdf_merge\\w*_|_merge_pdfs?_",
        _C.join_documents,
        samples={"paths": (["/documents/report.pdf", "/documents/offer.pdf"],)},
    ),
    Operation("_pdf_split\\w*_|_split_pdf_", _C.split_document, samples={"path": ("/documents/report.pdf",)}),
    Operation("_docx_to_pdf_", _C.document_to_pdf, samples={"path": ("/documents/letter.docx",)}),
    Operation("_docx_to_html_", _C.document_to_html, samples={"path": ("/documents/letter.docx",)}),
    Operation("_html_clean\\w*_|_clean_html_", _C.clean_html, samples=_HTML),
    Operation("_html_to_text_", _C.html_to_text, samples=_HTML),
    Operation("_html_to_markdown_", _C.html_to_markdown, samples=_HTML),
    Operation("_html_extract_resources_", _C.html_resources, samples=_HTML),
    Operation("_html_format\\w*_|_format_html_", _C.format_html, samples=_HTML),
    Operation("_text_diff_|_compare_files_", _C.compare_texts, {"path": "file_?1_path|file1_path|first_path"}),
    Operation("_text_split\\w*_|_split_text_", _C.split_text),
    Operation("_text_format\\w*_", _C.format_text),
    Operation("_text_encoding_convert\\w*_|_convert_encoding_", _C.convert_encoding),
    Operation("_document_reader_", _R.read_file, needs="file_path"),
)
OPERATIONS = (
    *(replace(one, needs=one.needs or _OUTPUT) for one in _CONVERSIONS),
    Operation("_(read|get)_(multiple|many|several)_files?_|_read_files_", _R.read_files, needs="(file_)?paths"),
    Operation("_read_media\\w*_|_read_image_", _R.read_media, needs=_PATH),
    Operation("_tail_file_", _R.read_file, {"tail": "lines|n|count"}, needs=_PATH),
    Operation("_head_file_", _R.read_file, {"head": "lines|n|count"}, needs=_PATH),
    Operation("_read_csv(_file)?_", _R.read_table, needs=_PATH),
    Operation("_read_context_", _R.read_below, {"number": "chunk_number"}, needs=_PATH, samples={"path": ("/",)}),
    Operation("_chunk_count_", _R.chunk_count, needs=_PATH, samples={"path": ("/",)}),
    Operation("_(generate|get|file|code)_outline_", _R.code_outline, needs=_PATH),
    Operation(
        "_(read|view|open|get|cat)_(\\w+_)?(file|file_contents?|text_file|file_content)_$", _R.read_file, needs=_PATH
    ),
    Operation("_(write|save|create)_(\\w+_)?(file|to_file|text_file|file_content)_$", _W.write_file, needs=_CONTENT),
    Operation("_append_(\\w+_)?(file|to_file)_|_append_file_", _W.append_file, needs=_CONTENT),
    Operation("_edit_(file|block)_|_replace_in_file_|_str_replace_", _W.edit_file, needs="edits"),
    Operation("_edit_(file|block)_|_replace_in_file_|_str_replace_", _W.replace_text, needs="old_\\w+"),
    Operation("_(create|make)_(directory|folder|dir)_|_mkdir_", _W.create_directory, needs=_PATH),
    Operation("_list_directory_with_sizes_", _R.list_with_sizes, needs=_PATH),
    Operation("_directory_tree_|_tree_$|_file_tree_", _R.directory_tree, needs=_PATH),
    Operation("_list_allowed_directories_|_allowed_directories_", _R.allowed_directories),
    Operation(
        "_list_(directory|dir|files|folder|directory_contents|files_in_directory)_$|_ls_$",
        _R.list_directory,
        needs=_PATH,
    ),
    Operation("_(move|rename)_(file|directory|folder|path)_", _W.move_file, needs="(source|src|from|old|original)\\w*"),
    Operation("_rename_(file|directory|folder)_", _W.rename_file, needs="new_name"),
    Operation("_copy_(file|directory|folder|path)_", _W.copy_file, needs="(source|src|from|old|original)\\w*"),
    Operation("_(delete|remove)_(file|directory|folder|path)_", _W.delete_file, needs=_PATH),
    Operation(
        "_(search|find)_files_|_find_file_", _R.search_files, needs="pattern|query|name", samples={"path": ("/",)}
    ),
    Operation(
        "_search_(code|content|text|in_files)_|_grep_|_search_file_contents_",
        _R.search_text,
        needs="pattern|query",
        samples={"pattern": ("topic",), "path": ("/",), "files": ("*.yaml",)},
    ),
    Operation("_(get_)?(file|path)_(info|stats?|metadata)_|_stat_$", _R.file_info, needs=_PATH),
)
VOCABULARY = {
    "path": _PATH,
    "paths": "(file_|input_)?paths",
    "directory": "output_(dir|directory)",
    "output": "output_(path|file)",
    "other": "file_?2_path|second_path",
    "ranges": "page_ranges",
    "by": "split_by",
    "value": "value",
    "content": _CONTENT,
    "head": "head",
    "tail": "tail",
    "offset": "offset|start_line|line_offset",
    "length": "length|limit|max_lines|lines",
    "encoding": "encoding",
    "mode": "mode",
    "edits": "edits",
    "dry_run": "dry_run",
    "old": "old_(string|text|str|content)",
    "new": "new_(string|text|str|content)",
    "count": "expected_replacements|expected_count",
    "everywhere": "replace_all",
    "source": "(source|src|from|old|original)(_?path|_file|_file_?path|_encoding)?",
    "destination": "(destination|dest|dst|to|new|target)(_?path|_file|_file_?path)?",
    "name": "new_name",
    "target": "(to|target)_encoding",
    "recursive": "recursive",
    "exclude": "exclude_patterns|exclude|ignore",
    "depth": "(max_)?depth",
    "sort": "sort_by|sort",
    "extension": "(file_)?extension|file_type|ext",
    "pattern": "pattern|query|name|search_term",
    "files": "file_patterns?|include|glob",
    "ignore_case": "ignore_case|case_insensitive",
    "hidden": "include_hidden",
    "context": "context_lines|context",
    "limit": "max_results|limit",
    "rows": "preview_rows|rows|nrows",
    "types": "file_types|extensions",
    "most": "max_size",
    "number": "chunk_number",
}
FILES = Model(
    operations=OPERATIONS,
    vocabulary=VOCABULARY,
    fixtures=(Fixture("file_nodes", "FileNode", "services_app.recipes.files", "seed_files"),),
    steady=(
        ("timeout(_ms)?|timeout_seconds", "transport: a search of the tree is over at once"),
        ("is_url", "there is no network to read from"),
    ),
    noun="file tree",
    samples={
        "path": (
            "/notes/agenda.txt",
            "/data/costs.csv",
            "/images/logo.png",
            "/src/app.py",
            "/notes",
            "/notes/old/draft.txt",
            "/",
        ),
        "paths": (["/notes/agenda.txt", "/README.md"],),
        "directory": ("/out",),
        "output": ("/out/letter.pdf",),
        "other": ("/README.md",),
        "ranges": ([{"start": 1, "end": 2}],),
        "split_by": ("lines", "delimiter"),
        "value": ("2", "\\n"),
        "from_encoding": ("utf-8",),
        "to_encoding": ("utf-16", "latin1"),
        "content": ("A new line.\n",),
        "edits": (
            [{"oldText": "Order the parts", "newText": "Order the paint"}],
            [{"old_text": "Order the parts", "new_text": "Order the paint"}],
        ),
        "old": ("Order the parts",),
        "new": ("Order the paint",),
        "source": ("/notes/agenda.txt",),
        "destination": ("/notes/moved.txt",),
        "pattern": ("a", "*.txt"),
        "files": ("*.txt", "*.py"),
        "extension": ("txt",),
        "exclude": (["*.txt"],),
        "types": ([".py"],),
        "name": ("renamed.txt",),
    },
)


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a tool of a file server; None where the tool is of another kind, or too few are about files."""
    operation = FILES.operation_of(tool, keys_of(reader, tool))
    if operation is None or not _is_local(reader, tool) or not _keeps_files(reader):
        return None
    return call_plan(reader, tool, FILES, operation)


def _is_local(reader: Reader, tool: ToolSpec) -> bool:
    """Whether a tool takes no key of a remote place: files of a repository or a drive are records of that service."""
    return not any(re.fullmatch(_NO_SERVICE, key) for key in keys_of(reader, tool))


_CONVERTS = {one.function.__name__ for one in _CONVERSIONS} - {"read_file"}


def _keeps_files(reader: Reader) -> bool:
    """Whether a server's tools read (and mostly write) files of one tree."""
    found = [
        operation.function.__name__
        for tool in reader.spec.tools
        if _is_local(reader, tool) and (operation := FILES.operation_of(tool, keys_of(reader, tool))) is not None
    ]
    if sum(name in _CONVERTS for name in found) >= 3:
        return True
    reads = {"read_file", "read_files", "read_table", "read_below", "list_directory", "file_info"}
    return len(found) >= 2 and bool(reads & set(found))
