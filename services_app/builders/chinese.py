"""What descriptions in Chinese say that an answer holds: 包括名称、拼音、所属城市等."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CUE = re.compile(r"(?:包括|包含|含有|返回|内容有|显示)[::]?\s*([^。;;\n(\uff08]{2,120})")
_SPLIT = re.compile(r"[、,\uff0c/]|以及|和|及|与|或")
# Chinese word at the end of a part -> field.
_FIELDS = {
    "名称": "name", "名字": "name", "姓名": "name", "站名": "name", "拼音": "pinyin", "城市": "city",
    "省份": "province",
    "价格": "price", "票价": "price", "标题": "title", "内容": "content", "正文": "content", "摘要": "summary",
    "作者": "author", "链接": "url", "地址": "address", "状态": "status", "描述": "description", "简介": "description",
    "说明": "description", "日期": "date", "时间": "time", "到站时间": "arrival_time", "出发时间": "departure_time",
    "停留时间": "stop_minutes", "创建时间": "created_at", "更新时间": "updated_at", "发布时间": "published_at",
    "类型": "type", "类别": "category", "分类": "category", "标签": "tags", "电话": "phone", "邮箱": "email",
    "编号": "number", "编码": "code", "代码": "code", "数量": "quantity", "大小": "size", "金额": "amount",
    "余额": "balance", "评分": "rating", "评论数": "comment_count", "点赞数": "like_count", "收藏数": "favorite_count",
    "播放量": "view_count", "阅读量": "view_count", "浏览量": "view_count", "热度": "heat_score", "排名": "rank",
    "图片": "image_url", "封面": "cover_url", "距离": "distance", "经度": "longitude", "纬度": "latitude",
    "温度": "temperature", "湿度": "humidity", "风力": "wind_power", "风向": "wind_direction", "天气": "conditions",
    "开盘价": "open", "收盘价": "close", "最高价": "high", "最低价": "low", "成交量": "volume", "成交额": "turnover",
    "涨跌幅": "change_percent", "涨跌额": "change", "市值": "market_cap", "部门": "department", "职位": "position",
    "版本": "version", "语言": "language", "来源": "source", "评论": "comments", "成员": "members", "进度": "progress",
    "优先级": "priority", "负责人": "owner", "电话号码": "phone", "车次": "train_number", "里程": "mileage",
}  # fmt: skip


def chinese_fields(description: str) -> Iterator[str]:
    """Names of fields in an enumeration of at least two known words; nothing where half of its parts are unknown."""
    for found in _CUE.finditer(description):
        parts = [part.strip(" 的等") for part in _SPLIT.split(found[1]) if part.strip(" 的等")]
        names = [_field(part) for part in parts]
        known = [name for name in names if name]
        if len(known) >= 2 and 2 * len(known) >= len(parts):
            yield from dict.fromkeys(known)


def _field(part: str) -> str:
    """The field of the longest known word at the end of a part; "" for none."""
    plain = re.sub(r"(?:等|信息|详细信息|数据|等信息)+$", "", part)
    return next((_FIELDS[plain[start:]] for start in range(len(plain)) if plain[start:] in _FIELDS), "")
