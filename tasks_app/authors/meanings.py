"""Classes of facts: what a value is about, so that a due date goes where a due date belongs.

Each class has the kinds of values that it can be of, and a noun in English and Chinese for texts that state it.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Meaning(NamedTuple):
    """One class of facts."""

    kinds: tuple[str, ...]
    noun: tuple[str, str]


_CLASSES: Final[dict[str, tuple[str, str, str]]] = {
    "person": ("email", "person in charge", "负责人"),
    "author": ("email", "author", "作者"),
    "stand-in": ("email", "stand-in", "代理人"),
    "contact": ("email", "contact", "联系人"),
    "name": ("person", "name", "姓名"),
    "company": ("organisation", "company", "公司"),
    "phone": ("phone", "phone number", "电话"),
    "address": ("place", "address", "地址"),
    "price": ("money", "price", "价格"),
    "cost": ("money", "cost", "费用"),
    "fee": ("money", "fee", "费用"),
    "amount": ("money", "amount", "金额"),
    "balance": ("money", "balance", "余额"),
    "budget": ("money", "budget", "预算"),
    "salary": ("money", "salary", "薪资"),
    "value": ("money", "value", "价值"),
    "deposit": ("money", "deposit", "押金"),
    "rent": ("money", "rent", "租金"),
    "sum": ("money", "sum", "金额"),
    "hourly rate": ("money", "hourly rate", "小时费率"),
    "fare": ("money", "fare", "票价"),
    "refund": ("money", "refund", "退款金额"),
    "claim amount": ("money", "claim amount", "索赔金额"),
    "list price": ("money", "list price", "标价"),
    "running cost": ("money", "running cost", "运行费用"),
    "sum paid": ("money", "sum paid", "已付金额"),
    "limit": ("money", "limit", "限额"),
    "own sum": ("money", "sum", "金额"),
    "due date": ("date", "due date", "截止日期"),
    "start date": ("date", "start date", "开始日期"),
    "end date": ("date", "end date", "结束日期"),
    "delivery date": ("date", "delivery date", "交付日期"),
    "event date": ("date", "date", "日期"),
    "expiry date": ("date", "expiry date", "到期日"),
    "arrival date": ("date", "arrival date", "到达日期"),
    "departure date": ("date", "departure date", "出发日期"),
    "payment date": ("date", "payment date", "付款日期"),
    "own date": ("date", "date", "日期"),
    "own time": ("timestamp", "time", "时间"),
    "start time": ("timestamp", "start time", "开始时间"),
    "end time": ("timestamp", "end time", "结束时间"),
    "deadline": ("timestamp", "deadline", "截止时间"),
    "clock time": ("time", "time", "时间"),
    "quantity": ("count", "quantity", "数量"),
    "headcount": ("count", "number of people", "人数"),
    "count": ("count", "number", "数量"),
    "effort": ("duration", "effort", "工时"),
    "length": ("duration", "length", "时长"),
    "discount": ("percent", "discount", "折扣"),
    "rate": ("percent", "rate", "比例"),
    "share": ("percent", "share", "占比"),
    "order number": ("code", "order number", "订单号"),
    "invoice number": ("code", "invoice number", "发票号"),
    "purchase order": ("code", "purchase order number", "采购单号"),
    "contract number": ("code", "contract number", "合同号"),
    "tracking number": ("code", "tracking number", "运单号"),
    "booking number": ("code", "booking number", "预订号"),
    "ticket number": ("code", "ticket number", "工单号"),
    "case number": ("code", "case number", "案件号"),
    "reference": ("code", "reference", "参考号"),
    "version": ("code", "version", "版本号"),
    "plate": ("code", "plate number", "车牌号"),
    "item number": ("code", "item number", "货号"),
    "batch number": ("code", "batch number", "批号"),
    "account number": ("code", "account number", "账号"),
    "branch": ("code", "branch", "分支"),
    "key": ("code", "key", "编号"),
}
MEANINGS: Final[dict[str, Meaning]] = {
    name: Meaning((kind,), (english, chinese)) for name, (kind, english, chinese) in _CLASSES.items()
}


def kinds_of(name: str) -> frozenset[str]:
    """Kinds of the values of a class; empty for a class that does not exist."""
    return frozenset(MEANINGS[name].kinds) if name in MEANINGS else frozenset()


Agreed = dict[str, tuple[tuple[str, str], ...]]
AGREED: Final[Agreed] = {
    "email": (
        ("contact on site", "现场联系人"),
        ("project lead", "项目负责人"),
        ("stand-in", "代理人"),
        ("contact for questions", "咨询联系人"),
        ("external consultant", "外部顾问"),
        ("coordinator", "协调人"),
    ),
    "person": (
        ("speaker", "主讲人"),
        ("contact on site", "现场联系人"),
        ("person to ask for", "接洽人"),
    ),
    "money": (
        ("overall budget", "总预算"),
        ("deposit", "定金"),
        ("cost estimate", "费用估算"),
        ("material budget", "材料预算"),
        ("travel budget", "差旅预算"),
    ),
    "date": (
        ("handover date", "交接日期"),
        ("kick-off date", "启动日期"),
        ("review date", "复核日期"),
        ("deadline", "最后期限"),
        ("follow-up date", "跟进日期"),
    ),
    "code": (
        ("reference number", "参考编号"),
        ("cost centre", "成本中心"),
        ("approval number", "审批编号"),
    ),
}
"""What a text settles that goes into no field: words for it by kind."""
RULED: Final[Agreed] = {
    "email": (("approver", "审批人"), ("second signatory", "第二签字人"), ("reviewer", "复核人")),
    "money": (("processing fee", "手续费"), ("advance payment", "预付款")),
}
"""What a rule in a document settles."""
IN_TEXTS: Final = frozenset(
    [
        "person",
        "stand-in",
        "price",
        "cost",
        "fee",
        "budget",
        "due date",
        "start date",
        "end date",
        "delivery date",
        "effort",
        "headcount",
    ]
)
"""Classes of what is agreed and then written down in passing."""
_PLAIN_NEWS: Final = frozenset({"person", "stand-in", "due date", "start date", "end date", "headcount"})
_BUSINESS: Final = frozenset({"office", "sales", "operations", "finance", ""})


def in_texts(area: str) -> frozenset[str]:
    """Classes of what people of an area agree on and then write down in passing."""
    return IN_TEXTS if area in _BUSINESS else _PLAIN_NEWS


PASSED_ON: Final = (
    "sum",
    "hourly rate",
    "fare",
    "refund",
    "claim amount",
    "list price",
    "sum paid",
    "contact",
    "phone",
    "address",
    "price",
    "cost",
    "fee",
    "amount",
    "budget",
    "due date",
    "start date",
    "end date",
    "delivery date",
    "arrival date",
    "departure date",
    "start time",
    "deadline",
    "discount",
    "invoice number",
    "tracking number",
    "booking number",
    "ticket number",
    "case number",
    "version",
)
"""What people pass on in a message or a note to whoever it may be."""
SUITED: Final = {
    "money": "budget|cost|price|offer|quot|spend|estimate|terms|condition|financ|money|negotiat|supplier|customer"
    "|catering|venue|hire|equipment|material|figures|invoice|deal|licence|purchas|order|charge|fee",
    "date": "plan|schedule|date|time|kick-off|minutes|agreed|handover|next|week|progress|status|deliver|install"
    "|meeting|call|visit|talk|review|preparation|roll|open|phase|move|start|final|change|training|site",
    "email": "contact|who|respons|team|people|kick-off|minutes|handover|organis|call|visit|talk|participant|list"
    "|supplier|customer|question|preparation|update",
    "count": "participant|attend|staff|people|list|catering|guest|training|workshop|invit|seat|kick-off|room|team"
    "|visit|trip|party|venue",
    "duration": "plan|effort|estimate|work|task|status|progress|kick-off|minutes|phase|week",
}
"""By kind of value: words in the names of records in which people write such a thing down."""
