"""Time zones by their IANA names, with the daylight saving rules of 2026 for every year.

Kept here and not read from the machine, so that the same call gives the same answer everywhere. Zones whose changes
follow no yearly rule (Morocco, Gaza) are not known.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Literal, NamedTuple

from services_app.engine.errors import ToolError

_THURSDAY, _FRIDAY, _SUNDAY = 3, 4, 6


class Change(NamedTuple):
    """The first `weekday` on or after `day` of `month`, so many `minutes` after midnight."""

    month: int
    weekday: int
    day: int
    minutes: int
    basis: Literal["utc", "standard", "wall"]


class Rule(NamedTuple):
    start: Change
    end: Change
    minutes: int = 60


_RULES: dict[str, Rule] = {
    "eu": Rule(Change(3, _SUNDAY, 25, 60, "utc"), Change(10, _SUNDAY, 25, 60, "utc")),
    "troll": Rule(Change(3, _SUNDAY, 25, 60, "utc"), Change(10, _SUNDAY, 25, 60, "utc"), 120),
    "us": Rule(Change(3, _SUNDAY, 8, 120, "wall"), Change(11, _SUNDAY, 1, 120, "wall")),
    "cuba": Rule(Change(3, _SUNDAY, 8, 0, "wall"), Change(11, _SUNDAY, 1, 60, "wall")),
    "chile": Rule(Change(9, _SUNDAY, 2, 240, "utc"), Change(4, _SUNDAY, 2, 180, "utc")),
    "australia": Rule(Change(10, _SUNDAY, 1, 120, "standard"), Change(4, _SUNDAY, 1, 120, "standard")),
    "lord_howe": Rule(Change(10, _SUNDAY, 1, 120, "wall"), Change(4, _SUNDAY, 1, 120, "wall"), 30),
    "new_zealand": Rule(Change(9, _SUNDAY, 24, 120, "standard"), Change(4, _SUNDAY, 1, 120, "standard")),
    "chatham": Rule(Change(9, _SUNDAY, 24, 165, "standard"), Change(4, _SUNDAY, 1, 165, "standard")),
    "lebanon": Rule(Change(3, _SUNDAY, 25, 0, "wall"), Change(10, _SUNDAY, 25, 0, "wall")),
    "egypt": Rule(Change(4, _FRIDAY, 24, 0, "wall"), Change(10, _THURSDAY, 25, 1440, "wall")),
    "israel": Rule(Change(3, _FRIDAY, 23, 120, "wall"), Change(10, _SUNDAY, 25, 120, "wall")),
    "moldova": Rule(Change(3, _SUNDAY, 25, 120, "wall"), Change(10, _SUNDAY, 25, 180, "wall")),
}


class Zone(NamedTuple):
    """A zone: minutes east of Greenwich in standard time, and the rule of its daylight saving ("" for none)."""

    name: str
    standard: int
    rule: str

    def offset(self, utc: dt.datetime) -> int:
        """Minutes east of Greenwich at a moment in UTC (naive)."""
        if not self.rule:
            return self.standard
        rule = _RULES[self.rule]
        start, end = (_moment(change, utc.year, self.standard, rule.minutes, change is rule.end) for change in rule[:2])
        saving = start <= utc < end if start < end else not end <= utc < start
        return self.standard + (rule.minutes if saving else 0)

    def is_dst(self, utc: dt.datetime) -> bool:
        return self.offset(utc) != self.standard

    def local(self, utc: dt.datetime) -> dt.datetime:
        """Wall time, with its offset, of a moment in UTC (naive)."""
        minutes = self.offset(utc)
        zone = dt.timezone(dt.timedelta(minutes=minutes))
        return (utc + dt.timedelta(minutes=minutes)).replace(tzinfo=zone)

    def utc(self, local: dt.datetime) -> dt.datetime:
        """UTC (naive) of a wall time; of two, the earlier; a time that is skipped is read as standard time."""
        saving = _RULES[self.rule].minutes if self.rule else 0
        for minutes in (self.standard + saving, self.standard):
            moment = local - dt.timedelta(minutes=minutes)
            if self.offset(moment) == minutes:
                return moment
        return local - dt.timedelta(minutes=self.standard)


def _moment(change: Change, year: int, standard: int, saving: int, ends: bool) -> dt.datetime:
    first = dt.datetime(year, change.month, change.day)  # noqa: DTZ001 - UTC throughout
    day = first + dt.timedelta(days=(change.weekday - first.weekday()) % 7, minutes=change.minutes)
    if change.basis == "utc":
        return day
    return day - dt.timedelta(minutes=standard + (saving if ends and change.basis == "wall" else 0))


def zone_of(name: str) -> Zone:
    """The zone of an IANA name, in any letter case; 400 for any other."""
    found = _zones().get(str(name).strip().lower())
    if found is None:
        raise ToolError(
            400, "unknown_timezone", f"No time zone named {name!r}. Use an IANA name such as 'Europe/Berlin' or 'UTC'."
        )
    return found


def zone_names() -> list[str]:
    return sorted(zone.name for zone in _zones().values())


@lru_cache(maxsize=1)
def _zones() -> dict[str, Zone]:
    return {
        name.lower(): Zone(name, standard, rule) for (standard, rule), names in _TABLE.items() for name in names.split()
    }


_TABLE: dict[tuple[int, str], str] = {
    (-720, ""): ("Etc/GMT+12 "),
    (-660, ""): ("Etc/GMT+11 Pacific/Midway Pacific/Niue Pacific/Pago_Pago Pacific/Samoa US/Samoa "),
    (-600, ""): ("Etc/GMT+10 HST Pacific/Honolulu Pacific/Johnston Pacific/Rarotonga Pacific/Tahiti US/Hawaii "),
    (-600, "us"): ("America/Adak America/Atka US/Aleutian "),
    (-570, ""): ("Pacific/Marquesas "),
    (-540, ""): ("Etc/GMT+9 Pacific/Gambier "),
    (-540, "us"): (
        "America/Anchorage America/Juneau America/Metlakatla America/Nome America/Sitka America/Yakutat US/Alaska "
    ),
    (-480, ""): ("Etc/GMT+8 Pacific/Pitcairn "),
    (-480, "us"): (
        "America/Ensenada America/Los_Angeles America/Santa_Isabel America/Tijuana America/Vancouver "
        "Canada/Pacific Mexico/BajaNorte PST8PDT US/Pacific "
    ),
    (-420, ""): (
        "America/Creston America/Dawson America/Dawson_Creek America/Fort_Nelson America/Hermosillo "
        "America/Mazatlan America/Phoenix America/Whitehorse Canada/Yukon Etc/GMT+7 MST Mexico/BajaSur US/Arizona "
    ),
    (-420, "us"): (
        "America/Boise America/Cambridge_Bay America/Ciudad_Juarez America/Denver America/Edmonton America/Inuvik "
        "America/Shiprock America/Yellowknife Canada/Mountain MST7MDT Navajo US/Mountain "
    ),
    (-360, ""): (
        "America/Bahia_Banderas America/Belize America/Chihuahua America/Costa_Rica America/El_Salvador "
        "America/Guatemala America/Managua America/Merida America/Mexico_City America/Monterrey America/Regina "
        "America/Swift_Current America/Tegucigalpa Canada/Saskatchewan Etc/GMT+6 Mexico/General Pacific/Galapagos "
    ),
    (-360, "chile"): ("Chile/EasterIsland Pacific/Easter "),
    (-360, "us"): (
        "America/Chicago America/Indiana/Knox America/Indiana/Tell_City America/Knox_IN America/Matamoros "
        "America/Menominee America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem "
        "America/Ojinaga America/Rainy_River America/Rankin_Inlet America/Resolute America/Winnipeg CST6CDT "
        "Canada/Central US/Central US/Indiana-Starke "
    ),
    (-300, ""): (
        "America/Atikokan America/Bogota America/Cancun America/Cayman America/Coral_Harbour America/Eirunepe "
        "America/Guayaquil America/Jamaica America/Lima America/Panama America/Porto_Acre America/Rio_Branco "
        "Brazil/Acre EST Etc/GMT+5 Jamaica "
    ),
    (-300, "cuba"): ("America/Havana Cuba "),
    (-300, "us"): (
        "America/Detroit America/Fort_Wayne America/Grand_Turk America/Indiana/Indianapolis "
        "America/Indiana/Marengo America/Indiana/Petersburg America/Indiana/Vevay America/Indiana/Vincennes "
        "America/Indiana/Winamac America/Indianapolis America/Iqaluit America/Kentucky/Louisville "
        "America/Kentucky/Monticello America/Louisville America/Montreal America/Nassau America/New_York "
        "America/Nipigon America/Pangnirtung America/Port-au-Prince America/Thunder_Bay America/Toronto "
        "Canada/Eastern EST5EDT US/East-Indiana US/Eastern US/Michigan "
    ),
    (-240, ""): (
        "America/Anguilla America/Antigua America/Aruba America/Barbados America/Blanc-Sablon America/Boa_Vista "
        "America/Campo_Grande America/Caracas America/Cuiaba America/Curacao America/Dominica America/Grenada "
        "America/Guadeloupe America/Guyana America/Kralendijk America/La_Paz America/Lower_Princes America/Manaus "
        "America/Marigot America/Martinique America/Montserrat America/Port_of_Spain America/Porto_Velho "
        "America/Puerto_Rico America/Santo_Domingo America/St_Barthelemy America/St_Kitts America/St_Lucia "
        "America/St_Thomas America/St_Vincent America/Tortola America/Virgin Brazil/West Etc/GMT+4 "
    ),
    (-240, "chile"): ("America/Santiago Chile/Continental "),
    (-240, "us"): (
        "America/Glace_Bay America/Goose_Bay America/Halifax America/Moncton America/Thule Atlantic/Bermuda "
        "Canada/Atlantic "
    ),
    (-210, "us"): ("America/St_Johns Canada/Newfoundland "),
    (-180, ""): (
        "America/Araguaina America/Argentina/Buenos_Aires America/Argentina/Catamarca "
        "America/Argentina/ComodRivadavia America/Argentina/Cordoba America/Argentina/Jujuy "
        "America/Argentina/La_Rioja America/Argentina/Mendoza America/Argentina/Rio_Gallegos "
        "America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman "
        "America/Argentina/Ushuaia America/Asuncion America/Bahia America/Belem America/Buenos_Aires "
        "America/Catamarca America/Cayenne America/Cordoba America/Coyhaique America/Fortaleza America/Jujuy "
        "America/Maceio America/Mendoza America/Montevideo America/Paramaribo America/Punta_Arenas America/Recife "
        "America/Rosario America/Santarem America/Sao_Paulo Antarctica/Palmer Antarctica/Rothera Atlantic/Stanley "
        "Brazil/East Etc/GMT+3 "
    ),
    (-180, "us"): ("America/Miquelon "),
    (-120, ""): ("America/Noronha Atlantic/South_Georgia Brazil/DeNoronha Etc/GMT+2 "),
    (-120, "eu"): ("America/Godthab America/Nuuk America/Scoresbysund "),
    (-60, ""): ("Atlantic/Cape_Verde Etc/GMT+1 "),
    (-60, "eu"): ("Atlantic/Azores "),
    (0, ""): (
        "Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar "
        "Africa/Freetown Africa/Lome Africa/Monrovia Africa/Nouakchott Africa/Ouagadougou Africa/Sao_Tome "
        "Africa/Timbuktu America/Danmarkshavn Atlantic/Reykjavik Atlantic/St_Helena Etc/GMT Etc/GMT+0 Etc/GMT-0 "
        "Etc/GMT0 Etc/Greenwich Etc/UCT Etc/UTC Etc/Universal Etc/Zulu GMT GMT+0 GMT-0 GMT0 Greenwich Iceland UCT "
        "UTC Universal Zulu "
    ),
    (0, "eu"): (
        "Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Madeira Eire Europe/Belfast Europe/Dublin "
        "Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/Lisbon Europe/London GB GB-Eire Portugal WET "
    ),
    (0, "troll"): ("Antarctica/Troll "),
    (60, ""): (
        "Africa/Algiers Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos "
        "Africa/Libreville Africa/Luanda Africa/Malabo Africa/Ndjamena Africa/Niamey Africa/Porto-Novo "
        "Africa/Tunis Etc/GMT-1 "
    ),
    (60, "eu"): (
        "Africa/Ceuta Arctic/Longyearbyen Atlantic/Jan_Mayen CET Europe/Amsterdam Europe/Andorra Europe/Belgrade "
        "Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Budapest Europe/Busingen Europe/Copenhagen "
        "Europe/Gibraltar Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo "
        "Europe/Paris Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo Europe/Skopje "
        "Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Warsaw Europe/Zagreb "
        "Europe/Zurich MET Poland "
    ),
    (120, ""): (
        "Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Johannesburg Africa/Juba "
        "Africa/Khartoum Africa/Kigali Africa/Lubumbashi Africa/Lusaka Africa/Maputo Africa/Maseru Africa/Mbabane "
        "Africa/Tripoli Africa/Windhoek Etc/GMT-2 Europe/Kaliningrad Libya "
    ),
    (120, "egypt"): ("Africa/Cairo Egypt "),
    (120, "eu"): (
        "Asia/Famagusta Asia/Nicosia EET Europe/Athens Europe/Bucharest Europe/Helsinki Europe/Kiev Europe/Kyiv "
        "Europe/Mariehamn Europe/Nicosia Europe/Riga Europe/Sofia Europe/Tallinn Europe/Uzhgorod Europe/Vilnius "
        "Europe/Zaporozhye "
    ),
    (120, "israel"): ("Asia/Jerusalem Asia/Tel_Aviv Israel "),
    (120, "lebanon"): ("Asia/Beirut "),
    (120, "moldova"): ("Europe/Chisinau Europe/Tiraspol "),
    (180, ""): (
        "Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala "
        "Africa/Mogadishu Africa/Nairobi Antarctica/Syowa Asia/Aden Asia/Amman Asia/Baghdad Asia/Bahrain "
        "Asia/Damascus Asia/Istanbul Asia/Kuwait Asia/Qatar Asia/Riyadh Etc/GMT-3 Europe/Istanbul Europe/Kirov "
        "Europe/Minsk Europe/Moscow Europe/Simferopol Europe/Volgograd Indian/Antananarivo Indian/Comoro "
        "Indian/Mayotte Turkey W-SU "
    ),
    (210, ""): ("Asia/Tehran Iran "),
    (240, ""): (
        "Asia/Baku Asia/Dubai Asia/Muscat Asia/Tbilisi Asia/Yerevan Etc/GMT-4 Europe/Astrakhan Europe/Samara "
        "Europe/Saratov Europe/Ulyanovsk Indian/Mahe Indian/Mauritius Indian/Reunion "
    ),
    (270, ""): ("Asia/Kabul "),
    (300, ""): (
        "Antarctica/Mawson Antarctica/Vostok Asia/Almaty Asia/Aqtau Asia/Aqtobe Asia/Ashgabat Asia/Ashkhabad "
        "Asia/Atyrau Asia/Dushanbe Asia/Karachi Asia/Oral Asia/Qostanay Asia/Qyzylorda Asia/Samarkand "
        "Asia/Tashkent Asia/Yekaterinburg Etc/GMT-5 Indian/Kerguelen Indian/Maldives "
    ),
    (330, ""): ("Asia/Calcutta Asia/Colombo Asia/Kolkata "),
    (345, ""): ("Asia/Kathmandu Asia/Katmandu "),
    (360, ""): (
        "Asia/Bishkek Asia/Dacca Asia/Dhaka Asia/Kashgar Asia/Omsk Asia/Thimbu Asia/Thimphu Asia/Urumqi Etc/GMT-6 "
        "Indian/Chagos "
    ),
    (390, ""): ("Asia/Rangoon Asia/Yangon Indian/Cocos "),
    (420, ""): (
        "Antarctica/Davis Asia/Bangkok Asia/Barnaul Asia/Ho_Chi_Minh Asia/Hovd Asia/Jakarta Asia/Krasnoyarsk "
        "Asia/Novokuznetsk Asia/Novosibirsk Asia/Phnom_Penh Asia/Pontianak Asia/Saigon Asia/Tomsk Asia/Vientiane "
        "Etc/GMT-7 Indian/Christmas "
    ),
    (480, ""): (
        "Antarctica/Casey Asia/Brunei Asia/Choibalsan Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Hong_Kong "
        "Asia/Irkutsk Asia/Kuala_Lumpur Asia/Kuching Asia/Macao Asia/Macau Asia/Makassar Asia/Manila "
        "Asia/Shanghai Asia/Singapore Asia/Taipei Asia/Ujung_Pandang Asia/Ulaanbaatar Asia/Ulan_Bator "
        "Australia/Perth Australia/West Etc/GMT-8 Hongkong PRC ROC Singapore "
    ),
    (525, ""): ("Australia/Eucla "),
    (540, ""): (
        "Asia/Chita Asia/Dili Asia/Jayapura Asia/Khandyga Asia/Pyongyang Asia/Seoul Asia/Tokyo Asia/Yakutsk "
        "Etc/GMT-9 Japan Pacific/Palau ROK "
    ),
    (570, ""): ("Australia/Darwin Australia/North "),
    (570, "australia"): ("Australia/Adelaide Australia/Broken_Hill Australia/South Australia/Yancowinna "),
    (600, ""): (
        "Antarctica/DumontDUrville Asia/Ust-Nera Asia/Vladivostok Australia/Brisbane Australia/Lindeman "
        "Australia/Queensland Etc/GMT-10 Pacific/Chuuk Pacific/Guam Pacific/Port_Moresby Pacific/Saipan "
        "Pacific/Truk Pacific/Yap "
    ),
    (600, "australia"): (
        "Antarctica/Macquarie Australia/ACT Australia/Canberra Australia/Currie Australia/Hobart "
        "Australia/Melbourne Australia/NSW Australia/Sydney Australia/Tasmania Australia/Victoria "
    ),
    (630, "lord_howe"): ("Australia/LHI Australia/Lord_Howe "),
    (660, ""): (
        "Asia/Magadan Asia/Sakhalin Asia/Srednekolymsk Etc/GMT-11 Pacific/Bougainville Pacific/Efate "
        "Pacific/Guadalcanal Pacific/Kosrae Pacific/Noumea Pacific/Pohnpei Pacific/Ponape "
    ),
    (660, "australia"): ("Pacific/Norfolk "),
    (720, ""): (
        "Asia/Anadyr Asia/Kamchatka Etc/GMT-12 Kwajalein Pacific/Fiji Pacific/Funafuti Pacific/Kwajalein "
        "Pacific/Majuro Pacific/Nauru Pacific/Tarawa Pacific/Wake Pacific/Wallis "
    ),
    (720, "new_zealand"): ("Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland "),
    (765, "chatham"): ("NZ-CHAT Pacific/Chatham "),
    (780, ""): ("Etc/GMT-13 Pacific/Apia Pacific/Enderbury Pacific/Fakaofo Pacific/Kanton Pacific/Tongatapu "),
    (840, ""): ("Etc/GMT-14 Pacific/Kiritimati "),
}
