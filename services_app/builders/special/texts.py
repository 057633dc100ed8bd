"""Functions of texts: echo, counts, letter case, comparison, JSON, CSV."""

from __future__ import annotations

from services_app.builders.special.formula import Formula, Slot

_TEXT = "text|content|input|message|string|str|value|data|input_string"
_ONE = (Slot("text", _TEXT),)
_JSON = (Slot("text", "json(_string|_text|_data)?|text|content|input|data", "any"),)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        r"echo(_message|_text)?", "texts.echoed", (Slot("text", _TEXT, "any"),), "What was sent.", cue="echo|返",
        golden=(({"text": "hello"}, "hello"),),
    ),
    Formula(
        r"(greet|say_)?hello(_world)?|greet(ing)?", "texts.greeting", (Slot("name", "name|who", optional=True),),
        "A greeting.", golden=(({"name": "Ana"}, "Hello, Ana!"), ({}, "Hello, World!")),
    ),
    Formula(
        r"ping", "texts.echoed", (), "Answers a ping.", cue="pong|ping|respons|available", fixed={"text": "pong"},
        golden=(({}, "pong"),),
    ),
    Formula(
        r"(server_)?version", "texts.echoed", (), "The version of the server.", cue="server version",
        fixed={"text": "1.0.0"}, golden=(({}, "1.0.0"),),
    ),
    Formula(r"reverse(_(text|string))?", "texts.reversed_", _ONE, "A text from its end.", golden=(({"text": "abc"},
        "cba"),)),
    Formula(
        r"(count_|get_)?((clipboard_|text_)?char(acter)?s?)(_count)?", "texts.characters", _ONE,
            "Characters of a text.",
        cue="count|文字数", whole=True, golden=(({"text": "a b c"}, 3), ({"text": "a b c"}, 5)),
    ),
    Formula(
        r"(count_|get_)?((clipboard_|text_)?words?)(_count)?", "texts.word_count",
        (*_ONE, Slot("language", "language|lang", optional=True)), "Words of a text.",
        cue="count|単語数", whole=True,
        golden=(({"text": "one two two", "language": "en"}, 3), ({"text": "one two two", "language": "en"}, 2)),
    ),
    Formula(
        r"(get_)?text_(stat(istic)?s|analy(sis|zer))|analyze_text", "texts.counts", _ONE, "Counts of a text.",
        cue="(word|character) count|count", unless="sentiment|形態素|readability|linguistic|keyword", whole=True,
        golden=(({"text": "One two. Three!"}, 3),),
    ),
    Formula(
        r"(convert_|change_|text_|to_)(case|text_case)", "texts.in_case",
        (*_ONE, Slot("case", "case|to_case|target_case|style|format|type")), "A text in another letter case.",
        golden=(({"text": "big red car", "case": "snake"}, "big_red_car"),),
    ),
    *(
        Formula(rf"(to_)?{names}(_case|case)?", "texts.in_case", _ONE, f"A text in {case} case.", fixed={"case": case},
                golden=(({"text": "big Red"}, made),))
        for names, case, made in (
            ("upper", "upper", "BIG RED"), ("lower", "lower", "big red"), ("title", "title", "Big Red"),
            ("camel", "camel", "bigRed"), ("snake", "snake", "big_red"), ("kebab", "kebab", "big-red"),
        )
    ),
    Formula(r"slugify|(generate_)?slug", "texts.slug", _ONE, "A text fit for an address.",
        golden=(({"text": "Big Réd!"}, "big-red"),)),
    Formula(
        r"(text_)?(diff|compare(_texts?)?)|diff_texts?", "texts.difference",
        (
            Slot("first", "(text|string)_?(1|a)|first|original|old(_text)?|before"),
            Slot("second", "(text|string)_?(2|b)|second|modified|new(_text)?|after"),
        ),
        "The lines in which two texts differ.", whole=True, unless="file|path",
        golden=(({"first": "a\nb", "second": "a\nc"}, 1),),
    ),
    Formula(
        r"(validate|check|lint)_json|json_(valid(ate|ator)|lint)", "texts.json_check", _JSON, "Whether a text is JSON.",
        whole=True, unless="schema|policy|file", golden=(({"text": '{"a": 1}'}, True), ({"text": "{a"}, False)),
    ),
    Formula(
        r"(format|pretty(_?print)?|beautify|prettify)_json|json_(format(ter)?|pretty|beautify)", "texts.json_pretty",
        (*_JSON, Slot("indent", "indent(ation)?|spaces", "number", optional=True)), "JSON over several lines.",
        golden=(({"text": '{"a":1}'}, '{\n  "a": 1\n}'),), examples=({"text": '{"a":1}', "indent": 4},),
    ),
    Formula(
        r"(minify|compact)_json|json_(minify|compact)", "texts.json_compact", _JSON, "JSON without white space.",
        golden=(({"text": '{ "a": 1 }'}, '{"a":1}'),),
    ),
    Formula(
        r"(json_(path|query)|query_json|jsonpath)(_query)?", "texts.json_path",
        (*_JSON, Slot("path", "path|query|jsonpath|expression")), "What a JSONPath selects.", unless="file",
        golden=(({"text": '{"a": [{"b": 1}, {"b": 2}]}', "path": "$.a[*].b"}, 2),),
    ),
    Formula(
        r"csv_to_json|(parse|convert)_csv(_to_json)?", "texts.csv_rows", (Slot("text",
            "csv(_text|_data|_string)?|text|content|data|input"),),
        "The rows of a CSV text.", unless="file|path", golden=(({"text": "a,b\n1,2\n"}, "2"),),
    ),
    Formula(
        r"json_to_csv|convert_json_to_csv", "texts.csv_text", (Slot("rows",
            "json(_data|_text)?|text|content|data|input|rows", "any"),),
        "A list of objects as CSV.", unless="file|path", golden=(({"rows": '[{"a": 1, "b": 2}]'}, "a,b\n1,2\n"),),
    ),
    Formula(
        r"html_to_text|strip_html|extract_text_from_html", "texts.plain_of_html", (Slot("text",
            "html(_content)?|text|content|input"),),
        "The words of HTML.", golden=(({"text": "<p>Big <b>red</b></p>"}, "Big red"),),
    ),
    Formula(
        r"(find_and_)?replace(_text)?", "texts.replaced",
        (*_ONE, Slot("find", "find|search|pattern|old"), Slot("replacement", "replace(ment)?|new|replace_with")),
        "A text with another in its place.", whole=True, unless="document|file|node|slide|range|cell|note|regex",
        golden=(({"text": "a-b-a", "find": "a", "replacement": "c"}, "c-b-c"),),
    ),
)  # fmt: skip
