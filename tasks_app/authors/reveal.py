"""Planting a value where a record shows it, and planning the reads that get it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tasks_app.authors import frames
from tasks_app.authors.guide import agreed, seeded_like, spoken_noun
from tasks_app.authors.naming import figure_name, noun_of, plural_of, pretty, role_of, value_noun
from tasks_app.authors.notes import note_text, policy_text
from tasks_app.authors.phrasebook import Both, Fact
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Carried, How, Need, Place, Rejection
from tasks_app.authors.ways import TEXT_KINDS, Option, Ways, likely_numbers
from tasks_app.engine.columns import Column
from tasks_app.engine.profile import DerivedFigure, ToolProfile
from tasks_app.engine.program import Call, Rank, Register

SIZED_SHARE = 0.7  # of sums, those of the size that the record has which takes them
OWN_NAME_SHARE = 0.85  # of the sums and dates in texts, those called by what they are for
_NOUN = re.compile(
    r"(?:amount|price|fee|cost|rate|total|value|budget|limit|salary|deposit|rent|premium|date|day|deadline)$"
)


_ENDS = {"money": ("largest", "smallest"), "date": ("latest", "earliest"), "timestamp": ("latest", "earliest")}


class Revealer:
    """Plans how a place shows what the next visit needs."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.ways = Ways(plan)

    # Showing

    def show(self, place: Place, need: Need, option: Option, visit: int) -> Carried:
        """Plant the value as `option` says and plan its reading."""
        methods: dict[str, Callable[..., Carried]] = {
            "field": self._show_field,
            "text": self._show_text,
            "note": self._show_note,
            "ranked": self._show_ranked,
            "total": self._show_total,
            "derived": self._show_derived,
        }
        carried = methods[option.how](place, option.need or need, visit, *option.detail)
        carried.called, carried.fact = option.called, option.fact
        if option.called is not None and option.how not in ("text", "note"):
            carried.noun = spoken_noun(option.called[0]) or carried.noun
        place.shown = True
        self.plan.carried.append(carried)
        return carried

    def values_for(self, need: Need) -> tuple[Any, Any]:
        """A value that the next visit accepts, and its alternative."""
        plan = self.plan
        if need.meanings and need.kind == "money" and plan.rng.random() < SIZED_SHARE:
            sized = [seeded_like(plan, need.kind, need.like) for _ in range(2)]
            if None not in sized and sized[0] != sized[1]:
                return sized[0], sized[1]
        good = likely_numbers(need.kind, need.numbers)
        if need.kind in ("count", "duration", "money") and len(good) >= 2:
            pair = plan.rng.sample(good, 2)
            return (float(pair[0]), float(pair[1])) if need.kind == "money" else (int(pair[0]), int(pair[1]))
        if need.when == "past" and need.kind in ("date", "timestamp"):
            first, second = (plan.values.past(need.kind, plan.environment.clock) for _ in range(2))
            if first == second:
                raise Rejection("no near value")
            return first, second
        column = Column("", "", need.kind, choices=need.choices)
        value = seeded_like(plan, need.kind, need.like) or plan.draft.fresh(column, need.like)
        return value, plan.near(need.kind, value, need.choices)

    def _carried(self, place: Place, need: Need, how: How, visit: int, noun: str, **more: Any) -> Carried:
        return Carried(
            register_name=self.plan.next_register(),
            kind=need.kind,
            unit=need.unit,
            how=how,
            visit=visit,
            noun=noun,
            source=place,
            choices=need.choices,
            names_record=need.names_record,
            own=need.own,
            **more,
        )

    def _show_field(self, place: Place, need: Need, visit: int, column: Column) -> Carried:
        plan = self.plan
        rows = (place.id, place.decoy)
        value, alternative = (
            plan.draft.of_the_person(place.service, place.table, identity, column.field, found)
            for identity, found in zip(rows, self.values_for(need), strict=True)
        )
        for identity, cell in zip(rows, (value, alternative), strict=True):
            plan.draft.set(place.service, place.table, identity, {column.field: cell})
        table = plan.table(place.service, place.table)
        noun = value_noun(column, table)
        own = noun_of(table)
        name = plan.noun(noun, f"{own} {noun}", f"{own.split()[-1]} {pretty(column.field)}")
        carried = self._carried(place, need, "field", visit, name, value=value, alternative=alternative)
        plain = column.kind in ("email", "person") and role_of(column, table) == own
        carried.detail = {"column": column, "field": self._field_words(column, table), "own": plain}
        carried.ablation = [plan.ablation(place.service, place.table, place.id, **{column.field: alternative})]
        chain, calls = plan.ensure(place, (column.key,), visit)
        step, path = chain.outputs[column.key]
        plan.get(carried.register_name, calls[step], path, where=plan.where(place, chain, step, path))
        return carried

    @staticmethod
    def _field_words(column: Column, table: Any) -> str:
        if column.kind in ("email", "person"):
            role = role_of(column, table)
            return role if role != noun_of(table) else pretty(column.field)
        words = pretty(column.field)
        return f"number of {words}" if column.kind == "count" and words.endswith("s") else words

    def _words_in_text(self, place: Place, need: Need, *, ruled: bool = False) -> Both:
        """What a text calls the value, in English and, where a phrase book gives that, in Chinese."""
        return (
            agreed(self.plan, need, ruled=ruled) if place.service in self.plan.books else (self._noun_in_text(need), "")
        )

    def _noun_in_text(self, need: Need) -> str:
        """What a text calls the value: a record's noun, or a business word of the frame."""
        if need.names_record and need.kind not in ("person", "email"):
            return self.plan.noun(need.noun, f"{self.plan.rng.choice(('other', 'second'))} {need.noun}")
        if need.own:
            words = ("new address", "right address") if need.kind == "email" else ("new name", "full name")
            return self.plan.noun(*words, *(f"{word} of the {need.noun}" for word in words))
        pools = {"timestamp": frames.TIMES, "phone": frames.PHONES, "place": frames.PLACES, "time": frames.TIMES}
        if need.kind == "duration":
            return self.plan.alias("duration", frames.DURATIONS.get(need.unit, ()))
        if need.kind == "count":
            return self.plan.alias("count", frames.COUNTS.get(need.unit, ()))
        if need.kind in ("label", "title", "product", "organisation", "percent"):
            short = need.short or need.noun
            return self.plan.noun(f"agreed {short}", f"new {short}", f"agreed {need.noun}", f"new {need.noun}")
        if need.kind == "code" and not need.any_kind:
            return self.plan.noun(need.noun, f"right {need.noun}", f"other {need.noun}")
        if need.kind in ("money", "date") and need.short:
            short = need.short if _NOUN.search(need.short) else "amount" if need.kind == "money" else ""
            if short and self.plan.rng.random() < OWN_NAME_SHARE:
                return self.plan.noun(f"agreed {short}", f"new {short}", f"right {short}", f"final {short}")
        return self.plan.alias(need.kind, pools.get(need.kind, ()))

    def _show_text(self, place: Place, need: Need, visit: int, column: Column) -> Carried:
        plan = self.plan
        value, alternative = self.values_for(need)
        words = self._words_in_text(place, need)
        carried = self._carried(place, need, "text", visit, words[0], alias=words, value=value, alternative=alternative)
        carried.detail = {"column": column}
        write = note_text(plan.rng, carried)
        plan.draft.set(place.service, place.table, place.id, {column.field: write(value)})
        plan.draft.set(place.service, place.table, place.decoy, {column.field: write(alternative)})
        carried.ablation = [plan.ablation(place.service, place.table, place.id, **{column.field: write(alternative)})]
        chain, calls = plan.ensure(place, (column.key,), visit)
        step, path = chain.outputs[column.key]
        plan.get(
            carried.register_name,
            calls[step],
            path,
            where=plan.where(place, chain, step, path),
            operation="text",
            kind=need.kind,
            choices=need.choices,
        )
        return carried

    def _dated(self, place: Place, text: Column) -> Column | None:
        """The date column that is shown in the same list as the notes."""
        for column in self.plan.reaches[place.service].table_columns(text.table):
            if column.kind in ("timestamp", "date") and self.ways.same_list(place, text, column):
                return column
        return None

    def _show_note(self, place: Place, need: Need, visit: int, text: Column, reference: Column) -> Carried:
        plan, service = self.plan, place.service
        value, alternative = self.values_for(need)
        older = self.values_for(need)[0] if not need.choices else alternative
        words = self._words_in_text(place, need)
        carried = self._carried(place, need, "note", visit, words[0], alias=words, value=value, alternative=alternative)
        write = note_text(plan.rng, carried)
        dated = self._dated(place, text)
        if dated is None:
            plan.draft.clear_family(service, reference, (place.id, place.decoy))
        stamps = self._stamps(dated)
        main = plan.draft.plant(service, text.table, {reference.field: place.id, text.field: write(value), **stamps[1]})
        plan.draft.plant(
            service, text.table, {reference.field: place.decoy, text.field: write(alternative), **stamps[1]}
        )
        if dated is not None:
            plan.draft.plant(service, text.table, {reference.field: place.id, text.field: write(older), **stamps[0]})
            plan.tags.add("superseded note")
        table = plan.table(service, text.table)
        carried.detail = {"notes": plural_of(table), "superseded": dated is not None}
        place.children_read.add(text.table)
        carried.ablation = [plan.ablation(service, text.table, main, **{text.field: write(alternative)})]
        self._read_note(place, carried, visit, text, dated)
        return carried

    def _stamps(self, dated: Column | None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Cells for the older and the newer note; both before the session starts."""
        if dated is None:
            return {}, {}
        clock = self.plan.environment.clock
        day = int(clock[8:10])
        rng = self.plan.rng
        late = f"{clock[:10]}T0{rng.randint(6, 7)}:{rng.randint(10, 59)}:00Z"
        early = f"{clock[:8]}{max(1, day - 1):02d}T05:{rng.randint(10, 59)}:00Z"
        if dated.kind == "date":
            if early[:10] == late[:10]:
                raise Rejection("no two days for notes")
            return {dated.field: early[:10]}, {dated.field: late[:10]}
        return {dated.field: early}, {dated.field: late}

    def _read_note(self, place: Place, carried: Carried, visit: int, text: Column, dated: Column | None) -> None:
        plan = self.plan
        need = (text.key,) if dated is None else (text.key, dated.key)
        chain, calls = plan.ensure(place, need, visit)
        step, path = chain.outputs[text.key]
        rank = None if dated is None else Rank(path=chain.outputs[dated.key][1], order="max")
        plan.get(
            carried.register_name,
            calls[step],
            path,
            where=plan.where(place, chain, step, path),
            rank=rank,
            operation="text",
            kind=carried.kind,
            choices=carried.choices,
        )

    def _show_ranked(
        self,
        place: Place,
        need: Need,
        visit: int,
        column: Column,
        rank: Column,
        reference: Column,
        largest: bool | None = None,
    ) -> Carried:
        plan, service = self.plan, place.service
        value, alternative = self.values_for(need)
        older = self.values_for(need)[0]
        levels = sorted({plan.draft.fresh(rank) for _ in range(6)})
        if len(levels) < 4 or len({value, alternative, older}) < 3:
            raise Rejection("too few values to rank")
        plan.draft.clear_family(service, reference, (place.id, place.decoy))
        largest = plan.rng.random() < 0.7 if largest is None else largest
        best, second, third = levels[::-1][:3] if largest else levels[:3]
        rows = [(value, best), (alternative, second), (older, third)]
        plan.rng.shuffle(rows)
        ids = {
            shown: plan.draft.plant(
                service, column.table, {reference.field: place.id, column.field: shown, rank.field: level}
            )
            for shown, level in rows
        }
        for shown, level in ((alternative, best), (older, third)):
            cells = {reference.field: place.decoy, column.field: shown, rank.field: level}
            plan.draft.plant(service, column.table, cells)
        place.children_read.add(column.table)
        table = plan.table(service, column.table)
        noun = value_noun(column, table)
        carried = self._carried(
            place,
            need,
            "ranked",
            visit,
            plan.noun(noun, f"{noun_of(table)} {noun}"),
            value=value,
            alternative=alternative,
        )
        word = _ENDS.get(rank.kind, ("highest", "lowest"))[0 if largest else 1]
        carried.detail = {
            "child": noun_of(table),
            "word": word,
            "rank": pretty(rank.field),
            "field": self._field_words(column, table),
        }
        carried.ablation = [
            plan.ablation(service, column.table, ids[value], **{rank.field: second}),
            plan.ablation(service, column.table, ids[alternative], **{rank.field: best}),
        ]
        chain, calls = plan.ensure(place, (column.key, rank.key), visit)
        step, path = chain.outputs[column.key]
        order = Rank(path=chain.outputs[rank.key][1], order="max" if largest else "min")
        plan.get(carried.register_name, calls[step], path, where=plan.where(place, chain, step, path), rank=order)
        plan.tags.add("ranked selection")
        return carried

    def _show_total(self, place: Place, need: Need, visit: int, column: Column, reference: Column) -> Carried:
        plan, service = self.plan, place.service
        plan.draft.clear_family(service, reference, (place.id, place.decoy))
        parts = [plan.draft.fresh(column) for _ in range(3)]
        ids = [plan.draft.plant(service, column.table, {reference.field: place.id, column.field: p}) for p in parts]
        for _ in range(2):
            cells = {reference.field: place.decoy, column.field: plan.draft.fresh(column)}
            plan.draft.plant(service, column.table, cells)
        table = plan.table(service, column.table)
        noun = plan.noun(f"total {pretty(column.field)} of the {plural_of(table)}")
        place.children_read.add(column.table)
        total = round(sum(parts), 2)
        carried = self._carried(place, need, "total", visit, noun, value=total, alternative=round(total + 35, 2))
        carried.detail = {"children": plural_of(table), "field": pretty(column.field)}
        carried.ablation = [plan.ablation(service, column.table, ids[0], **{column.field: parts[0] + 35})]
        chain, calls = plan.ensure(place, (column.key,), visit)
        step, path = chain.outputs[column.key]
        plan.get(carried.register_name, calls[step], path, where=plan.where(place, chain, step, path), operation="sum")
        plan.tags.add("data transformation")
        return carried

    def _show_derived(
        self, place: Place, need: Need, visit: int, tool: ToolProfile, parameter: str, key: str, figure: DerivedFigure
    ) -> Carried:
        plan = self.plan
        register = plan.read(place, key, visit)
        call = plan.call(place.service, tool.tool, {parameter: Register(name=register)}, visit)
        name = figure_name(figure)
        own = noun_of(plan.table(place.service, place.table))
        carried = self._carried(place, need, "derived", visit, plan.noun(name, f"{own} {name}"))
        carried.stale = bool(self.ways.written_tools(place) & set(figure.moved_by))
        carried.detail = {"field": name, "depends": figure.depends}
        plan.get(carried.register_name, call, figure.path)
        if carried.stale:
            plan.tags.add("stale re-read")
        return carried

    def show_generated(
        self, need: Need, visit: int, call: Call, column: Column, path: str, fact: Fact | None = None
    ) -> Carried:
        """A value that the service itself gave to what was just made there: a number, a code."""
        plan = self.plan
        table = plan.table(call.service, column.table)
        words = "number" if column.field == "id" else pretty(column.field)
        own = noun_of(table)
        noun = plan.noun(words if own.split()[-1] in words.split() else f"{own} {words}", f"new {own} {words}")
        carried = Carried(plan.next_register(), need.kind, "generated", visit, noun, None)
        carried.detail = {"record": own, "field": words, "call": call.number}
        plan.made.add((call.service, column.table))
        if fact is not None:
            record = plan.books[call.service].records[column.table]
            carried.called, carried.detail["noun"] = fact.called, record.noun
            carried.fact = f"{call.service}/{fact.name}"
            carried.noun = spoken_noun(fact.called[0]) or carried.noun
        plan.get(carried.register_name, call.number, path)
        plan.carried.append(carried)
        return carried

    def show_policy(self, place: Place, need: Need, visit: int, number: Carried) -> Carried:
        """A rule in a document that turns the incoming number into the value needed."""
        plan, reach = self.plan, self.plan.reaches[place.service]
        if number.value is None or number.kind not in ("money", "count", "duration"):
            raise Rejection("a policy needs a known number")
        if need.kind not in TEXT_KINDS or need.kind in ("count", "duration", "percent"):
            raise Rejection("a policy cannot give this kind")
        columns = [c for c in reach.text_columns(place.table) if plan.chain(place, c.key) is not None]
        low, high = sorted((number.value, number.alternative))
        bound = round((low + high) / 2, 2) if number.kind == "money" else (low + high) // 2
        if not columns or not low <= bound < high:
            raise Rejection("no room for a policy")
        value, alternative = self.values_for(need)
        below, above = (value, alternative) if number.value <= bound else (alternative, value)
        words = self._words_in_text(place, need, ruled=True)
        carried = self._carried(
            place, need, "policy", visit, words[0], alias=words, value=value, alternative=alternative
        )
        carried.detail = {"number": number}
        write = policy_text(plan.rng, carried, number, bound)
        column = columns[0]
        plan.draft.set(place.service, place.table, place.id, {column.field: write(below, above)})
        plan.draft.set(place.service, place.table, place.decoy, {column.field: write(above, below)})
        carried.ablation = [plan.ablation(place.service, place.table, place.id, **{column.field: write(above, below)})]
        chain, calls = plan.ensure(place, (column.key,), visit)
        step, path = chain.outputs[column.key]
        plan.get(
            carried.register_name,
            calls[step],
            path,
            where=plan.where(place, chain, step, path),
            operation="policy",
            kind=need.kind,
            choices=need.choices,
            argument=Register(name=number.register_name),
        )
        number.used = True
        plan.carried.append(carried)
        plan.tags.add("policy lookup")
        return carried
