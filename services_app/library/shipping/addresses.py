"""Tools for the address book."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.shared import Cursor, Json, Limit, Query, cursor_page, keep, same, search, some_changes
from services_app.library.shipping.state import Address, ShippingState, service

AddressId = Annotated[str, f.ref("addresses")]
Line = Annotated[str, f.Semantic("place"), Field(min_length=2, max_length=160)]


@service.tool()
def search_addresses(
    state: ShippingState,
    ctx: CallContext,
    query: Query | None = None,
    country: f.Place | None = None,
    verified: bool | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find recipients in the address book.

    Args:
        query: Words in the name, company, e-mail address, street or city.
        country: Only addresses in this country.
        verified: Only verified addresses, or only the others.
        limit: At most so many addresses.
        cursor: next_cursor of the previous page.
    """
    found = search(state.addresses, query, lambda row: (row.contact_name, row.company, row.email, row.street, row.city))
    return cursor_page("addresses", keep(found, country=country, verified=verified), limit, cursor)


@service.tool(phrase="add {contact_name} of {company} to the address book of shipping")
def create_address(  # noqa: PLR0913, PLR0917 - an address has so many parts
    state: ShippingState,
    ctx: CallContext,
    contact_name: Annotated[f.Person, Field(min_length=2, max_length=120)],
    company: Annotated[f.Organisation, Field(min_length=2, max_length=120)],
    email: f.Email,
    street: Line,
    city: Line,
    country: Line,
    phone: f.Phone = "",
) -> Address:
    """Add a recipient; labels can be bought once verify_address has accepted the address.

    Errors: `duplicate_address` (the same e-mail address and street).

    Args:
        contact_name: Who takes the parcel.
        company: Company of the recipient.
        email: Where the carrier sends its notices.
        street: Street and number.
        city: City.
        country: Country, in English.
        phone: Phone number for the driver.
    """
    for row in state.addresses:
        if same(row.email, email) and same(row.street, street):
            raise conflict(f"{row.id} is this address already; use it.", type="duplicate_address")
    return state.addresses.create(
        contact_name=contact_name,
        company=company,
        email=email,
        phone=phone,
        street=street,
        city=city,
        country=country,
        verified=False,
    )


@service.tool(phrase="correct the shipping address {address_id}")
def update_address(
    state: ShippingState,
    ctx: CallContext,
    address_id: AddressId,
    street: Line = UNSET,  # type: ignore[assignment]
    city: Line = UNSET,  # type: ignore[assignment]
    country: Line = UNSET,  # type: ignore[assignment]
    contact_name: Annotated[f.Person, Field(min_length=2, max_length=120)] = UNSET,  # type: ignore[assignment]
) -> Address:
    """Correct an address; a new street, city or country has to be verified again. Labels bought keep the old one.

    Errors: `not_found`, `nothing_to_change`.

    Args:
        address_id: Id of the address.
        street: Street and number.
        city: City.
        country: Country, in English.
        contact_name: Who takes the parcel.
    """
    old = state.addresses.get(address_id)
    changes = some_changes(given(street=street, city=city, country=country, contact_name=contact_name))
    place = any(changes.get(name, getattr(old, name)) != getattr(old, name) for name in ("street", "city", "country"))
    return state.addresses.patch(address_id, **changes, verified=old.verified and not place)


@service.tool(phrase="verify the shipping address {address_id}")
def verify_address(state: ShippingState, ctx: CallContext, address_id: AddressId) -> Address:
    """Check an address against the places the carriers serve, and mark it verified.

    Errors: `not_found`, `already_verified`, `no_house_number`, `city_not_served`, `wrong_country`.

    Args:
        address_id: Id of the address.
    """
    row = state.addresses.get(address_id)
    if row.verified:
        raise conflict(f"The address of {row.contact_name} is verified already.", type="already_verified")
    if not any(letter.isdigit() for letter in row.street):
        raise invalid(f"{row.street!r} has no house number; correct it with update_address.", type="no_house_number")
    city = next((place for place in state.cities if same(place.name, row.city)), None)
    if city is None:
        raise invalid(f"No carrier serves {row.city}; check how it is spelled.", type="city_not_served")
    if not same(city.country, row.country):
        raise invalid(f"{city.name} lies in {city.country}; correct the country.", type="wrong_country")
    return state.addresses.patch(address_id, verified=True)
