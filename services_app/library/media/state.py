"""What the media library of a household holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Kind = Annotated[Literal["film", "series", "album", "podcast"], LABEL]
Age = Annotated[Literal["all", "6", "12", "16", "18"], LABEL]
DeviceKind = Annotated[Literal["television", "tablet", "phone", "speaker"], LABEL]


class Profile(Record):
    about: ClassVar[About] = About("profile", "profiles", prefix="PRO-", width=2, key="name")

    name: f.Person
    email: f.Email | None = None
    allowed_age: Age
    """Titles above this age rating are not played."""
    daily_minutes: Annotated[int | None, f.duration("minutes")] = None
    """So many minutes a day; None for no limit."""


class Device(Record):
    about: ClassVar[About] = About("device", "devices", prefix="DEV-", width=2, key="name")

    name: f.Label
    kind: DeviceKind
    capacity_mb: Annotated[int, f.count("megabytes")]
    """Room for downloads; 0 for devices that only stream."""


class Title(Record):
    about: ClassVar[About] = About("title", "titles", prefix="TTL-", key="name", carrier="document")

    kind: Kind
    name: f.Title
    creator: f.Label
    """Director, band or publisher."""
    year: Annotated[int, f.Semantic("label")]
    genres: tuple[f.Label, ...]
    age_rating: Age
    description: f.Text
    copies: Annotated[int, f.count("copies")] = 0
    """Discs or records on the shelf, that can be lent."""


class Part(Record):
    """A film itself, an episode or a track: what is played."""

    about: ClassVar[About] = About("episode", "episodes", prefix="PART-", key="name", carrier="document")

    title_id: Annotated[str, f.ref("titles")]
    number: Annotated[int, f.count("episodes")]
    name: f.Title
    minutes: Annotated[int, f.duration("minutes")]
    size_mb: Annotated[int, f.count("megabytes")]
    published_on: f.Date
    summary: f.Text = ""
    """What is said in an episode."""


class Stream(Record):
    about: ClassVar[About] = About("running playback", "running playbacks", prefix="STR-", key="")

    profile_id: Annotated[str, f.ref("profiles")]
    device_id: Annotated[str, f.ref("devices")]
    part_id: Annotated[str, f.ref("parts")]
    from_minute: Annotated[int, f.duration("minutes")]
    started_at: f.SystemTime


class Play(Record):
    about: ClassVar[About] = About("play", "plays", prefix="PLAY-", key="")

    profile_id: Annotated[str, f.ref("profiles")]
    part_id: Annotated[str, f.ref("parts")]
    minutes: Annotated[int, f.duration("minutes")]
    position: Annotated[int, f.duration("minutes")]
    """Minute at which it was stopped."""
    finished: bool
    ended_at: f.SystemTime


class ListItem(Record):
    about: ClassVar[About] = About("list entry", "list entries", prefix="LST-", key="", carrier="note")

    profile_id: Annotated[str, f.ref("profiles")]
    title_id: Annotated[str, f.ref("titles")]
    note: f.Text = ""
    added_on: f.Date


class Review(Record):
    about: ClassVar[About] = About("review", "reviews", prefix="REV-", key="", carrier="note")

    profile_id: Annotated[str, f.ref("profiles")]
    title_id: Annotated[str, f.ref("titles")]
    stars: Annotated[int, f.count("stars")]
    text: f.Text = ""
    written_on: f.Date


class Playlist(Record):
    about: ClassVar[About] = About("playlist", "playlists", prefix="PL-", width=3, key="name")

    name: f.Title
    owner_profile_id: Annotated[str, f.ref("profiles")]
    description: f.Text = ""
    collaborative: bool = False
    """Whether all profiles may change it."""


class PlaylistItem(Record):
    about: ClassVar[About] = About("playlist entry", "playlist entries", prefix="PLI-", key="")

    playlist_id: Annotated[str, f.ref("playlists")]
    part_id: Annotated[str, f.ref("parts")]
    position: Annotated[int, f.count("entries")]
    added_by_profile_id: Annotated[str, f.ref("profiles")]


class Follow(Record):
    about: ClassVar[About] = About("followed podcast", "followed podcasts", prefix="FLW-", key="")

    profile_id: Annotated[str, f.ref("profiles")]
    title_id: Annotated[str, f.ref("titles")]
    since: f.Date


class Download(Record):
    about: ClassVar[About] = About("download", "downloads", prefix="DL-", key="")

    device_id: Annotated[str, f.ref("devices")]
    part_id: Annotated[str, f.ref("parts")]
    downloaded_at: f.SystemTime


class Borrower(Record):
    about: ClassVar[About] = About("borrower", "borrowers", prefix="BRW-", width=3, key="name")

    name: f.Person
    email: f.Email
    phone: f.Phone
    remarks: f.Text = ""


class Loan(Record):
    about: ClassVar[About] = About("loan", "loans", prefix="LOAN-", key="", carrier="note")

    title_id: Annotated[str, f.ref("titles")]
    borrower_id: Annotated[str, f.ref("borrowers")]
    lent_on: f.Date
    due_on: f.Date
    returned_on: f.Date | None = None
    extended: bool = False
    note: f.Text = ""


class Reservation(Record):
    about: ClassVar[About] = About("reservation", "reservations", prefix="RES-", key="")

    title_id: Annotated[str, f.ref("titles")]
    borrower_id: Annotated[str, f.ref("borrowers")]
    reserved_at: f.SystemTime


class MediaState(State):
    profiles: Table[Profile]
    devices: Table[Device]
    titles: Table[Title]
    parts: Table[Part]
    streams: Table[Stream]
    plays: Table[Play]
    list_items: Table[ListItem]
    reviews: Table[Review]
    playlists: Table[Playlist]
    playlist_items: Table[PlaylistItem]
    follows: Table[Follow]
    downloads: Table[Download]
    borrowers: Table[Borrower]
    loans: Table[Loan]
    reservations: Table[Reservation]


service = Service(
    "media",
    title="Media library",
    domain="home and leisure",
    description="Films, series, albums and podcasts of a household: playback, playlists, downloads and lending.",
    state=MediaState,
    files=sources(__file__),
)
