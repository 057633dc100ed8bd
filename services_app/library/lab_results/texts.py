"""What a laboratory offers and what is written there: analytes, tests, procedures, questions, comments."""

from services_app.library.shared import prose

SITES = (
    ("Thornhill Street Laboratory", "London", "18 Thornhill Street, London", "07:00", "16:00", 3),
    ("Dockside Draw Station", "London", "5 Wharf Road, London", "07:30", "12:00", 1),
    ("Maaskade Prikpost", "Rotterdam", "61 Maaskade, Rotterdam", "07:00", "13:00", 2),
    ("Colston Yard Phlebotomy", "Bristol", "3 Colston Yard, Bristol", "08:00", "14:00", 1),
)
# name, code, unit, low, high, high for men, critical low, critical high
ANALYTES = (
    ("Haemoglobin", "HGB", "g/L", 120.0, 150.0, 170.0, 70.0, 200.0),
    ("White cells", "WBC", "10^9/L", 4.0, 11.0, None, 1.5, 30.0),
    ("Platelets", "PLT", "10^9/L", 150.0, 400.0, None, 30.0, 1000.0),
    ("Total cholesterol", "CHOL", "mmol/L", 2.5, 5.0, None, None, None),
    ("LDL cholesterol", "LDL", "mmol/L", 0.5, 3.0, None, None, None),
    ("Triglycerides", "TRIG", "mmol/L", 0.3, 1.7, None, None, 11.0),
    ("Fasting glucose", "GLU", "mmol/L", 3.9, 5.6, None, 2.5, 22.0),
    ("HbA1c", "A1C", "mmol/mol", 20.0, 42.0, None, None, None),
    ("Sodium", "NA", "mmol/L", 135.0, 145.0, None, 120.0, 160.0),
    ("Potassium", "K", "mmol/L", 3.5, 5.1, None, 2.8, 6.2),
    ("Creatinine", "CREA", "µmol/L", 45.0, 84.0, 104.0, None, 500.0),
    ("ALT", "ALT", "U/L", 5.0, 35.0, 45.0, None, 1000.0),
    ("Gamma-GT", "GGT", "U/L", 5.0, 40.0, 60.0, None, None),
    ("TSH", "TSH", "mU/L", 0.4, 4.0, None, None, None),
    ("Ferritin", "FER", "µg/L", 15.0, 150.0, 300.0, None, None),
    ("Vitamin D", "VITD", "nmol/L", 50.0, 125.0, None, None, None),
    ("Blood lead", "PB", "µg/dL", 0.0, 10.0, None, None, 50.0),
    ("Urine protein", "UPRO", "mg/L", 0.0, 140.0, None, None, None),
    ("Urine ethyl glucuronide", "ETG", "ng/mL", 0.0, 500.0, None, None, None),
    ("Hepatitis B antibodies", "HBSAB", "IU/L", 10.0, 1000.0, None, None, None),
    ("C-reactive protein", "CRP", "mg/L", 0.0, 5.0, None, None, 300.0),
    ("Streptococcus A antigen", "STREP", "index", 0.0, 0.9, None, None, None),
)
# name, code, analytes, specimen, price, fasting, stability h, turnaround h, interval days, guidance
TESTS = (
    ("Full blood count", "FBC", ("HGB", "WBC", "PLT"), "whole blood", 18.0, False, 24, 4, 14,
     "First test for tiredness. Clotted specimens cannot be measured."),
    ("Lipid panel", "LIPID", ("CHOL", "LDL", "TRIG"), "serum", 26.0, True, 72, 8, 90,
     "Eight hours without food; water is allowed."),
    ("Fasting glucose", "FGLU", ("GLU",), "serum", 9.0, True, 6, 4, 30,
     "Keeps for six hours only: send it with the first courier."),
    ("HbA1c", "HBA1C", ("A1C",), "whole blood", 21.0, False, 72, 24, 80,
     "Shows the last three months; not before 80 days have gone by."),
    ("Kidney and salts", "RENAL", ("NA", "K", "CREA"), "serum", 16.0, False, 24, 4, 14,
     "Haemolysed specimens give a false high potassium."),
    ("Liver panel", "LIVER", ("ALT", "GGT"), "serum", 19.0, False, 48, 6, 30,
     "No alcohol for two days before."),
    ("Thyroid", "THY", ("TSH",), "serum", 22.0, False, 96, 24, 42, "Taken before the morning tablet."),
    ("Iron stores", "IRON", ("FER", "HGB"), "serum", 24.0, False, 48, 24, 60, "High during infections: read with CRP."),
    ("Vitamin D", "VITD", ("VITD",), "serum", 31.0, False, 96, 48, 90, "Once at the end of winter is enough."),
    ("Lead exposure", "LEAD", ("PB",), "whole blood", 58.0, False, 168, 72, 90,
     "For people who solder. Above 25 the employer has to change the work, above 50 it stops at once."),
    ("Alcohol marker", "ETG", ("ETG",), "urine", 44.0, False, 48, 48, 0,
     "For drivers and forklift operators, by agreement only. Positive above 500."),
    ("Urine protein", "UPRO", ("UPRO",), "urine", 12.0, False, 12, 8, 14, "First urine of the morning."),
    ("Hepatitis B immunity", "HEPB", ("HBSAB",), "serum", 35.0, False, 168, 72, 365,
     "Protected from 10 IU/L; below it, vaccinate again."),
    ("Inflammation", "CRP", ("CRP",), "serum", 11.0, False, 48, 4, 3, "Rises within a day and falls within a week."),
    ("Throat swab, strep A", "STREP", ("STREP",), "swab", 15.0, False, 24, 2, 3, "Positive from 1.0."),
)  # fmt: skip
PROCEDURES = (
    ("Critical values", "current", 130, prose("""
        A critical value is told by phone within 60 minutes after it was entered: to the patient's doctor, or to the
        patient when no doctor can be reached. Whoever takes the call reads the value back. Note the name. A report
        with a critical value is not shared before somebody was told. After an amendment the call is repeated.""")),
    ("Critical values (first edition)", "superseded", 900, prose("""
        Critical values are sent by email within four hours.""")),
    ("Orders above the limit", "current", 75, prose("""
        Orders up to 200 pounds go ahead at once. Dearer orders wait for the programme coordinator, who asks for a
        reason in the question of the order. Nobody approves tests of their own. The limit was 150 pounds until this
        year.""")),
    ("Orders above the limit (last year)", "superseded", 420, prose("""
        Orders above 150 pounds wait for approval by the head of the laboratory.""")),
    ("Who may have a report", "current", 300, prose("""
        The patient, always. Anybody else needs a consent that names the address and has not ended. An employer gets a
        certificate of fitness from the practice, never values. The alcohol marker is shared with the patient only,
        even when there is a consent for other reports.""")),
    ("Rejecting specimens", "current", 200, prose("""
        Reject what is haemolysed, clotted, unlabelled or too little, and take it again within two working days. A
        haemolysed specimen must not be measured for potassium, whatever the courier says. The second specimen is free
        of charge.""")),
    ("Lead programme", "current", 60, prose("""
        Everybody who solders is tested every 90 days. Up to 10 micrograms per decilitre nothing is done. From 10 to 25
        the next test comes after 30 days. Above 25 the work is changed, above 50 it stops on the day.""")),
    ("Alcohol marker for drivers", "current", 45, prose("""
        Only by written agreement, and only when the driver was asked on the same day. A value above 500 is repeated on
        the same specimen before it is entered.""")),
)  # fmt: skip
QUESTIONS = (
    "Before the work at {company} in {city} from {start}.",
    "Solders the {product} boards: lead programme.",
    "Tired for weeks.",
    "Control after six weeks of treatment.",
    "Driver on the {title}: asked by {owner}.",
    "Yearly health check, order {po}.",
    "Vaccination before the stay in {city}.",
    "",
)
COMMENTS = (
    "Vein hard to find on the right: take the left arm.",
    "Invoice to {contact_email}, order {po}; not to the patient.",
    "Result is needed by {start}: {owner} waits with the roster.",
    "Please call on {phone} after 17:00 only.",
    "Slightly haemolysed; potassium may be too high.",
    "Fasting since 21:00, says the patient; had coffee with milk at 06:30.",
    "{company} asked for the values. Refused: no consent.",
)
AMENDMENTS = ("Decimal point was wrong.", "Specimen of another patient was read; repeated.", "Diluted twice.")
CANCELLATIONS = ("Ordered twice.", "The patient has left the programme.", "Moved to next quarter, asked by {owner}.")
TOLD = ("Dr Imogen Hale", "Dr Annelies Vroom", "Dr Harriet Coombe", "Dr Farid Nazari")
