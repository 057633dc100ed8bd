"""Words for invented people, organisations and subjects."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIRST_NAMES = _words(
    "Amara Anselm Astrid Bastien Brigid Callum Carys Cosmo Daria Delphine Edwin Emre Fatima Gideon Greta Hana Idris "
    "Imogen Ivo Jolene Kasper Keira Leila Lorcan Mateo Mirela Nadia Noor Odette Orla Pavel Petra Quentin Ramona "
    "Rosalind Silas Stellan Tamsin Thandi Ulrich Viola Wanda Ximena Yara Zoltan"
)
LAST_NAMES = _words(
    "Abernathy Ashgrove Bianchi Brannigan Calloway Corvin Devereux Dunmore Ellery Espinoza Fairbanks Galbraith "
    "Grunwald Hartigan Ibarra Jokinen Kessler Langford Lomax Marchetti Mortensen Nystrom Oduya Pemberton Prescott "
    "Quimby Rautio Sandoval Selwyn Thackeray Tremaine Umarov Vandermeer Whitlock Yamato Zielinski"
)
FIRM_NAMES = _words(
    "Aldermoor Bramblewood Castlegate Dunfield Eastmoor Foxglove Greyhaven Hollins Ironbridge Kingsley Larkspur "
    "Millrace Northgate Oakhurst Pinecrest Redfern Silverton Thornbury Upland Wexford"
)
FIRM_TRADES = _words(
    "Bakery Ceramics Dental Freight Glassworks Hotels Imports Joinery Kitchens Labs Marine Nurseries Optics Printing "
    "Recycling Seafoods Textiles Tooling Ventures Wines"
)
SUBJECT_PLACES = _words(
    "Annual Campus Clinic Depot Festival Gallery Harbour Heritage Lakeside Museum Northern Pilot Regional Riverside "
    "Spring Station Supplier Terrace Warehouse Winter"
)
SUBJECT_THINGS = _words(
    "audit handover inspection migration move programme refit relaunch renewal review rollout survey tender trial "
    "upgrade workshop"
)
UNDERTAKINGS = _words("expansion move opening programme refit relaunch rollout upgrade")
PRODUCT_FIRST = _words("Aspen Birch Cobalt Delta Ember Falcon Granite Harbor Indigo Juniper Linden Meridian")
PRODUCT_THINGS = _words("desk lamp kettle trolley scanner printer heater monitor projector cabinet toolkit mixer")
PLACE_PARTS = _words("East West North South Upper Lower Great Little Old New")
PLACES = _words("Ashford Bramley Carnford Dalton Elmsworth Farleigh Garrick Halden Kelso Lindale Marston Norwell")
