"""Workbooks of a year: a rollout tracker, budgets, counts, and a quote or a mileage log for each project."""

from __future__ import annotations

from collections.abc import Sequence

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.spreadsheets import texts
from services_app.library.spreadsheets.state import Sheet, SpreadsheetState, Workbook, service

Rows = Sequence[Sequence[str]]


@service.seed
def fill(state: SpreadsheetState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _tracker(state, ctx, cast)
    _commission(state, ctx, cast)
    _budget(state, ctx, cast)
    _capacity(state, ctx, cast)
    for project in cast.projects[: ctx.size(26)]:
        _quote(state, ctx, project)
    for project in cast.projects[ctx.size(26) : ctx.size(34)]:
        _mileage(state, ctx, project)


def _workbook(
    state: SpreadsheetState, ctx: SeedContext, title: str, owner: Person, folder: str, description: str
) -> Workbook:
    return state.workbooks.create(
        title=title,
        description=description,
        folder=folder,
        owner_email=owner.email,
        created_at=ctx.moment(-ctx.random.randint(30, 300), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        modified_at=ctx.moment(-ctx.random.randint(1, 25), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
    )


def _sheet(state: SpreadsheetState, book: Workbook, title: str, rows: Rows, *, hidden: bool = False) -> Sheet:
    position = 1 + state.sheets.count(workbook_id=book.id)
    sheet = state.sheets.create(workbook_id=book.id, title=title, position=position, hidden=hidden, frozen_rows=1)
    for at, row in enumerate(rows, 1):
        for column, content in enumerate(row, 1):
            if content:
                state.cells.create(sheet_id=sheet.id, row=at, column=column, content=content)
    return sheet


def _share(state: SpreadsheetState, book: Workbook, person: Person, role: str, message: str = "") -> None:
    state.shares.create(workbook_id=book.id, email=person.email, role=role, message=message)


def _comment(state: SpreadsheetState, ctx: SeedContext, sheet: Sheet, cell: str, project: Project) -> None:
    author = ctx.random.choice((project.owner, ME))
    day = -ctx.random.randint(1, 30)
    text = ctx.random.choice(texts.COMMENTS).format(**people.facts(ctx, project))
    done = ctx.moment(day + 1, 9, 20) if day < -2 and ctx.random.random() < 0.3 else None
    state.comments.create(
        sheet_id=sheet.id,
        cell=cell,
        author_name=author.name,
        author_email=author.email,
        text=text,
        written_at=ctx.moment(day, ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        resolved_at=done,
    )


def _tracker(state: SpreadsheetState, ctx: SeedContext, cast: Cast) -> None:
    """Yours: orders with computed amounts, sums per owner, and the rules that hold for them."""
    projects = cast.projects[: ctx.size(30)]
    book = _workbook(state, ctx, "Rollout tracker 2026", ME, "Operations", "All rollouts with amounts, by owner.")
    orders = _sheet(state, book, "Orders", [texts.TRACKER, *(_order(ctx, row, p) for row, p in enumerate(projects, 2))])
    last = len(projects) + 1
    owners = list(dict.fromkeys(project.owner.name for project in projects))
    summary = [("Owner", "Orders", "Amount", "Share")]
    end = len(owners) + 2
    for row, owner in enumerate(owners, 2):
        count, amount = f"=COUNTIF(Orders!$I$2:$I${last},A{row})", f"=SUMIF(Orders!$I$2:$I${last},A{row},Amounts)"
        summary.append((owner, count, amount, f"=ROUND(C{row}/C${end},4)"))
    summary.append(("Total", f"=SUM(B2:B{end - 1})", f"=SUM(C2:C{end - 1})", ""))
    sums = _sheet(state, book, "Summary", summary)
    _sheet(state, book, "Rules", texts.RULES)
    state.named_ranges.create(sheet_id=orders.id, name="Amounts", range=f"H2:H{last}")
    state.validation_rules.create(sheet_id=orders.id, range=f"K2:K{last + 40}", kind="list", allowed=texts.STATUSES)
    state.validation_rules.create(sheet_id=orders.id, range=f"G2:G{last}", kind="number", minimum=0.0, maximum=0.25)
    state.validation_rules.create(sheet_id=orders.id, range=f"J2:J{last + 40}", kind="date")
    state.protected_ranges.create(
        sheet_id=sums.id, range=f"A1:D{end}", description="Sums are read by the Friday report.", editor_emails=()
    )
    for person in (cast.team("operations")[-1], cast.team("sales")[0]):
        _share(state, book, person, "editor")
    _share(state, book, cast.team("finance")[0], "commenter", "For the month end.")
    for project in projects[: ctx.size(8)]:
        _comment(state, ctx, orders, f"H{2 + projects.index(project)}", project)


def _order(ctx: SeedContext, row: int, project: Project) -> tuple[str, ...]:
    price = f"{project.product.price:.2f}"
    discount = ctx.random.choice(("0%", "0%", "5%", "10%", "12%"))
    amount = f"=ROUND(E{row}*F{row}*(1-G{row}),2)"
    status = ctx.random.choice(texts.STATUSES if project.start < 0 else texts.STATUSES[:1])
    return (
        project.po_number, project.company.name, project.company.city, project.product.name, str(project.seats),
        price, discount, amount, project.owner.name, ctx.date(project.start), status,
    )  # fmt: skip


def _commission(state: SpreadsheetState, ctx: SeedContext, cast: Cast) -> None:
    """The sales manager's: you may look at it."""
    owner = cast.team("sales")[-1]
    book = _workbook(state, ctx, "Commission Q1 2026", owner, "Sales", "Deals of the quarter and what they earn.")
    deals = [("Deal", "Account manager", "Amount", "Rate", "Commission")]
    projects = cast.projects[: ctx.size(16)]
    for row, project in enumerate(projects, 2):
        rate = f"=VLOOKUP(C{row},Bands!$A$2:$B$5,2)"
        deals.append((project.po_number, project.owner.name, f"{project.amount:.2f}", rate, f"=ROUND(C{row}*D{row},2)"))
    end = len(deals)
    deals.append(("Total", "", f"=SUM(C2:C{end})", "", f"=SUM(E2:E{end})"))
    sheet = _sheet(state, book, "Deals", deals)
    bands = _sheet(state, book, "Bands", texts.BANDS)
    _sheet(
        state,
        book,
        "Approvals",
        [("Amount", "Approver"), ("<=10000", owner.name), (">10000", cast.team("finance")[-1].name)],
        hidden=True,
    )
    _share(state, book, ME, "viewer")
    state.protected_ranges.create(
        sheet_id=bands.id, range="A1:B5", description="Bands change only once a year.", editor_emails=(owner.email,)
    )
    _comment(state, ctx, sheet, "E2", projects[0])


def _budget(state: SpreadsheetState, ctx: SeedContext, cast: Cast) -> None:
    """Finance's, with you as an editor; the column of budgets is protected."""
    owner = cast.team("finance")[-1]
    book = _workbook(state, ctx, "Operations budget 2026", owner, "Finance", "Budget and spending by month.")
    rows: list[tuple[str, ...]] = [("Item", "Budget", *texts.MONTHS, "Spent", "Left", "Used")]
    for row, (item, budget) in enumerate(texts.BUDGET, 2):
        spent = [str(round(int(budget) * ctx.random.uniform(0.02, 0.12), 2)) for _ in texts.MONTHS]
        rows.append((item, budget, *spent, f"=SUM(C{row}:E{row})", f"=B{row}-F{row}", f"=ROUND(F{row}/B{row},3)"))
    last = len(rows)
    rows.append(("Total", *(f"=SUM({c}2:{c}{last})" for c in "BCDEFG"), f"=ROUND(F{last + 1}/B{last + 1},3)"))
    sheet = _sheet(state, book, "Budget", rows)
    rules = (
        ("Rule", "Text"),
        ("Transfers", "Up to 2,000.00 between items may be moved by Operations; above that Finance decides."),
        ("Overspending", "An item above 90% needs a note in the Budget sheet and the consent of " + owner.name + "."),
    )
    _sheet(state, book, "Rules", rules)
    _share(state, book, ME, "editor")
    _share(state, book, cast.team("operations")[-1], "commenter")
    state.protected_ranges.create(
        sheet_id=sheet.id,
        range=f"B2:B{last}",
        description="Budgets are agreed with the board.",
        editor_emails=(owner.email,),
    )
    state.validation_rules.create(sheet_id=sheet.id, range=f"C2:E{last}", kind="number", minimum=0.0)
    state.named_ranges.create(sheet_id=sheet.id, name="Remaining", range=f"G2:G{last}")
    _comment(state, ctx, sheet, "F3", cast.projects[0])


def _capacity(state: SpreadsheetState, ctx: SeedContext, cast: Cast) -> None:
    book = _workbook(state, ctx, "Depot capacity", ME, "Operations", "Pallet places, and what is free.")
    rows: list[tuple[str, ...]] = [("Depot", "Places", "In use", "Reserved", "Free", "Level")]
    for row, (depot, places) in enumerate(texts.CAPACITY, 2):
        used = ctx.random.randint(int(places) // 3, int(places) * 4 // 5)
        level = f'=IF(E{row}<0,"Overbooked",IF(E{row}<B{row}*10%,"Tight","Fine"))'
        reserved = str(ctx.random.randint(0, int(places) // 4))
        rows.append((depot, places, str(used), reserved, f"=B{row}-C{row}-D{row}", level))
    last = len(rows)
    rows.append(("Total", *(f"=SUM({c}2:{c}{last})" for c in "BCDE"), ""))
    sheet = _sheet(state, book, "Depots", rows)
    state.named_ranges.create(sheet_id=sheet.id, name="Free_places", range=f"E2:E{last}")
    _share(state, book, cast.team("operations")[1], "viewer")


def _quote(state: SpreadsheetState, ctx: SeedContext, project: Project) -> None:
    facts = people.facts(ctx, project)
    mine = ctx.random.random() < 0.6
    owner = ME if mine else project.owner
    title = f"Quote {project.po_number} {project.company.name}"
    book = _workbook(state, ctx, title, owner, "Quotes", f"{project.title}, contract {project.contract}.")
    lines = [("Item", "Quantity", "Unit price", "Total")]
    lines.append((project.product.name, str(project.seats), f"{project.product.price:.2f}", "=ROUND(B2*C2,2)"))
    for row, (item, price) in enumerate(ctx.random.sample(texts.EXTRAS, ctx.random.randint(1, 3)), 3):
        lines.append((item, str(ctx.random.randint(1, 3)), price, f"=ROUND(B{row}*C{row},2)"))
    end = len(lines)
    lines += [
        ("Subtotal", "", "", f"=SUM(D2:D{end})"),
        ("Discount", ctx.random.choice(("0%", "5%", "8%")), "", f"=-ROUND(D{end + 1}*B{end + 2},2)"),
        ("VAT", "20%", "", f"=ROUND((D{end + 1}+D{end + 2})*B{end + 3},2)"),
        ("Total", "", "", f"=SUM(D{end + 1}:D{end + 3})"),
    ]
    sheet = _sheet(state, book, "Lines", lines)
    notes = [line.format(**facts) for pair in ctx.random.choice(texts.QUOTE_NOTES) for line in pair]
    _sheet(state, book, "Notes", [("Note",), *((note,) for note in notes)])
    other = project.owner if mine else ME
    _share(state, book, other, ctx.random.choice(("editor", "editor", "commenter")))
    if mine and ctx.random.random() < 0.4:
        _share(state, book, project.contact, "viewer", f"Our offer for the {project.title}.")
    if ctx.random.random() < 0.5:
        _comment(state, ctx, sheet, f"D{end + 4}", project)


def _mileage(state: SpreadsheetState, ctx: SeedContext, project: Project) -> None:
    """Trips to one customer; some of these books are shared with nobody but their owner's team."""
    title = f"Mileage {project.company.short} {project.title}"
    mine = ctx.random.random() < 0.7
    book = _workbook(state, ctx, title, ME if mine else project.owner, "Travel", f"Trips for {project.po_number}.")
    rows = [("Date", "Driver", "From", "To", "Kilometres", "Cost")]
    for row in range(2, 2 + ctx.random.randint(3, 6)):
        driver = ctx.random.choice((ME, project.owner))
        day = ctx.date(-ctx.random.randint(1, 80))
        km = str(ctx.random.randint(12, 260))
        rows.append((day, driver.name, "London", project.company.city, km, f"=ROUND(E{row}*Rate_per_km,2)"))
    end = len(rows)
    rows.append(("Total", "", "", "", f"=SUM(E2:E{end})", f"=SUM(F2:F{end})"))
    trips = _sheet(state, book, "Trips", rows)
    rates = _sheet(state, book, "Rates", [("Rate per km", "0.45"), ("Until 2025", "0.40"), ("Parking", "at cost")])
    state.named_ranges.create(sheet_id=rates.id, name="Rate_per_km", range="B1")
    if not mine and ctx.random.random() < 0.5:
        _share(state, book, ME, "viewer")
    if mine and ctx.random.random() < 0.4:
        _comment(state, ctx, trips, f"F{end + 1}", project)
