"""The two languages that instructions are written in: how values, references and requests are put."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from tasks_app.authors.naming import say
from tasks_app.engine.text import human_date, human_label

Language = Literal["en", "zh-hans"]


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language. `{}` stands for the phrase that a form is made of."""

    index: int
    """Which of the two in a phrase book."""
    that: str
    new: str
    belongs: str
    """A record by the one that refers to it."""
    rule: tuple[str, ...]
    written: tuple[str, ...]
    latest: tuple[str, ...]
    named: tuple[str, ...]
    named_last: tuple[str, ...]
    afterwards: tuple[str, ...]
    """A figure that a request before it has moved."""
    address: str
    first: tuple[str, ...]
    following: tuple[str, ...]
    after: tuple[str, ...]
    last: tuple[str, ...]
    question: tuple[str, ...]
    over_a_list: tuple[str, ...]
    item: str
    stop: str
    both: str
    """Two requests in one line."""
    because: tuple[str, ...]
    once: tuple[str, ...]
    """What has to be there beside the thing added, and may be there already."""
    openings: tuple[str, ...]
    """For requests about one subject, {topic}; `unrelated` for others."""
    unrelated: tuple[str, ...]
    besides: tuple[str, ...]
    """Between the requests about the subject and others."""
    closings: tuple[str, ...]
    space: str
    """Between sentences."""

    @staticmethod
    def smooth(text: str) -> str:
        """A sentence without what no one says: "the day that that meeting starts"."""
        return re.sub(r"\bthat that (?=[a-z])", "that the ", text)

    def called(self, noun: str) -> str:
        return f"the {noun} {{}}" if self.index == 0 else f"{noun}{{}}"

    def listed(self, phrases: Sequence[str]) -> str:
        """Several things, as a sentence lists them."""
        comma, last = (", ", " and ") if self.index == 0 else ("、", "和")
        return last.join(part for part in (comma.join(phrases[:-1]), phrases[-1]) if part)

    def together(self, called: Sequence[str]) -> str:
        """The words for several facts of one record as the words for all of them; "" where they do not go together."""
        if self.index == 0:
            ends = all(words.endswith(" of {}") for words in called)
            return f"{self.listed([words.removesuffix(' of {}') for words in called])} of {{}}" if ends else ""
        starts = all(words.startswith("{}的") for words in called)
        return f"{{}}的{self.listed([words.removeprefix('{}的') for words in called])}" if starts else ""

    def say(self, kind: str, value: Any, unit: str, year: str = "") -> str:
        """A value that is stated, as people write it; `year`: the present one, which they leave out."""
        if kind in ("date", "timestamp"):
            return _day_in_english(value, year) if self.index == 0 else _day_in_chinese(value, year)
        if kind == "money":
            return f"{float(value):,.2f}".removesuffix(".00")
        if kind == "email":
            return _with_address(value, "{} ({})" if self.index == 0 else "{}（{}）")
        if self.index == 1 and kind in ("count", "duration"):
            return f"{value}{_UNITS.get(unit, '')}"
        return say(kind, value, unit)

    def label(self, value: str, labels: Mapping[str, str]) -> str:
        """One of a set of values."""
        return human_label(value) if self.index == 0 else labels.get(value, f"“{value}”")


_UNITS: Final = {
    "minutes": "分钟",
    "hours": "小时",
    "days": "天",
    "weeks": "周",
    "months": "个月",
    "years": "年",
    "nights": "晚",
    "seconds": "秒",
    "people": "人",
    "guests": "人",
    "seats": "个席位",
    "units": "件",
    "items": "件",
    "pieces": "件",
    "points": "分",
    "stars": "星",
    "pages": "页",
    "copies": "份",
    "boxes": "箱",
    "pallets": "托",
    "kilograms": "公斤",
    "grams": "克",
    "gigabytes": "GB",
    "openings": "个名额",
    "slides": "页",
    "tickets": "张",
    "degrees": "度",
    "responses": "份答卷",
    "kilometres": "公里",
    "litres": "升",
    "metres": "米",
}


def _day_in_english(moment: str, year: str) -> str:
    day = human_date(moment).removesuffix(f" {year}")
    return f"{moment[11:16]} on {day}" if "T" in moment else day


def _day_in_chinese(moment: str, year: str) -> str:
    day = dt.date.fromisoformat(moment[:10])
    words = f"{day.year}年{day.month}月{day.day}日".removeprefix(f"{year}年")
    return f"{words}{moment[11:16]}"


def _with_address(address: str, form: str) -> str:
    """Somebody by name, with the address behind it where that gives the name away."""
    name = address.partition("@")[0].split(".")
    whole = len(name) == 2 and all(part.isalpha() for part in name)
    return form.format(" ".join(part.capitalize() for part in name), address) if whole else address


ENGLISH: Final = Tongue(
    index=0,
    that="that {}",
    new="the new {}",
    belongs="the {noun} of {whole}",
    rule=("the {noun} that {rule} sets for {number}", "the {noun} which applies to {number} according to {rule}"),
    written=("the {noun} in {text}", "the {noun} from {text}", "the {noun} we agreed on (see {text})"),
    latest=(
        "the {noun} we last settled on in {text}",
        "the {noun} that was last agreed on in {text}",
        "the {noun} as last agreed in {text}",
    ),
    named=(
        "the {noun} (see {text} for the name)",
        "the {noun} named in {text}",
    ),
    named_last=("the {noun} last named in {text}",),
    afterwards=("{} as it stands after that", "{} after that change"),
    address="the e-mail address of {}",
    first=("Please {p}.", "Could you {p}?", "First of all, please {p}.", "Can you {p}, please?"),
    following=(
        "Please also {p}.",
        "Also, please {p}.",
        "Then please {p}.",
        "Could you also {p}?",
        "Please {p}.",
        "And please {p}.",
    ),
    after=("After that, {p}.", "Once that is done, {p}.", "With that done, {p}."),
    last=("Finally, {p}.", "Last, please {p}.", "And one last thing: {p}."),
    question=(
        "When you are done, tell me {x}.",
        "Let me know {x} in your reply.",
        "I also need {x}, so please put that in your reply.",
    ),
    over_a_list=(
        "Here is what is left:",
        "Could you take care of these?",
        "This is what I need:",
        "What is still open:",
        "Would you see to these, please?",
        "Here is my list:",
    ),
    item="- {P}",
    stop=".",
    both="{}, and {}",
    because=("; {r}", " – {r}", " because {r}", ". {R}"),
    once=(
        ", and “{name}” as well if it is still missing",
        "; add “{name}”, too, if it is not there yet",
    ),
    openings=(
        "We are getting ready for the {topic} and a few things are still open.",
        "The {topic} starts next week and I am catching up on the paperwork.",
        "I am out for the rest of the week, so here is what still has to be done for the {topic}.",
        "A few loose ends from the {topic}, some of them small.",
        "I just came out of the meeting on the {topic} and have a few things for you.",
        "Could you help me clear my list before the {topic}?",
        "I am preparing the {topic} and could use a hand.",
        "Here is what came up around the {topic} this morning.",
        "I am handing over the {topic} tomorrow and would like everything to be in order.",
        "I have gone through my notes on the {topic} and written down what is left.",
        "Some follow-ups from this week's call on the {topic}.",
        "While I am travelling for the {topic}, could you do a few things for me?",
        "The {topic} keeps me busy, so I would be glad if you could take over a few things.",
        "We talked about the {topic} again today. This is what I took away for you.",
        "Nearly everything for the {topic} is done. What is left:",
        "I would like the {topic} to run smoothly, so let us get these out of the way.",
    ),
    unrelated=(
        "A few unrelated errands for today, please.",
        "I have a mixed list for you this morning.",
        "I did not get round to any of this yesterday, sorry.",
        "I am in meetings all day and would be glad if you could do the following.",
        "Here is my list for today; the items have little to do with each other.",
        "Before the weekend I would like these to be off my desk.",
        "Month end is close and these are the things that I still have open.",
        "I am working through what has piled up on my desk.",
        "Some small things that have been waiting for too long.",
        "Could you help me with what is left on today's list?",
    ),
    besides=(
        "Apart from that:",
        "And from my everyday list:",
        "Something else while you are at it:",
        "Not related, but also on my list:",
    ),
    closings=(
        "Thanks!",
        "Thank you!",
        "Thanks a lot!",
        "That would help me a lot.",
        "Tell me if something is unclear.",
        "Please leave the rest as it is. Thanks!",
        "",
        "",
        "",
    ),
    space=" ",
)
CHINESE: Final = Tongue(
    index=1,
    that="该{}",
    new="新建的{}",
    belongs="{whole}所属的{noun}",
    rule=("{rule}中对应{number}的{noun}", "按{rule}的规定，与{number}相对应的{noun}"),
    written=("{text}里的{noun}", "{text}里写的{noun}", "{text}中商定的{noun}"),
    latest=("{text}里最后定下的{noun}", "{text}里最新的{noun}"),
    named=("{text}里提到的{noun}", "{text}里写的{noun}"),
    named_last=("{text}里最后提到的{noun}", "{text}里最新定的{noun}"),
    afterwards=("{}（以更新后的为准）", "更新后的{}"),
    address="{}的邮箱地址",
    first=("请{p}。", "麻烦你{p}。", "先请{p}。"),
    following=("另外请{p}。", "还请{p}。", "同时请{p}。", "请{p}。", "接着请{p}。", "也麻烦{p}。"),
    after=("完成之后，请{p}。", "做完这一步后，{p}。"),
    last=("最后请{p}。", "最后一件事：{p}。"),
    question=("完成后请告诉我{x}。", "回复时请告诉我{x}。", "另外我还想知道{x}，请写在回复里。"),
    over_a_list=("请处理以下事项：", "麻烦你办这几件事：", "待办事项：", "请逐条处理："),
    item="- {P}",
    stop="。",
    both="{}，并{}",
    because=("，因为{r}", "，{r}", "（{r}）", "。{R}"),
    once=("；如果还没有“{name}”，也一并加上", "，“{name}”如果还缺，也请补上"),
    openings=(
        "{topic}快开始了，还有几件事没处理完。",
        "我在准备{topic}，想请你帮个忙。",
        "刚开完{topic}的会，有几件事要麻烦你。",
        "我这周不在，{topic}相关的事请你接手处理。",
        "整理了一下{topic}的笔记，还剩下面这些事。",
        "明天要交接{topic}，希望今天都理清楚。",
    ),
    unrelated=(
        "今天有几件零碎的事要麻烦你。",
        "昨天没来得及处理，今天请你帮忙。",
        "我今天一整天都在开会，下面的事请你代办。",
        "月底快到了，我手上还有这些没完成。",
        "这是我今天的清单，各项之间没有太大关系。",
    ),
    besides=("除此之外：", "另外还有几件日常的事：", "还有几件不相干的："),
    closings=(
        "谢谢！",
        "辛苦了！",
        "麻烦你了。",
        "其他的先不用动，谢谢。",
        "有不清楚的随时问我。",
        "",
        "",
    ),
    space="",
)
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
TONGUES: Final[dict[Language, Tongue]] = {"en": ENGLISH, "zh-hans": CHINESE}
