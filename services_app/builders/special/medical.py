"""Clinical formulas, with values worked out by hand or published with the formula."""

from __future__ import annotations

from services_app.builders.special.formula import Formula, Slot

_AGE = Slot("age", "age(_years)?", "number")
_SEX = Slot("sex", "sex|gender")
_MALE = Slot("male", "(is_)?male", "flag")
_FEMALE = Slot("female", "(is_)?female", "flag")
_SCR = Slot("creatinine", "scr|(serum_)?creatinine", "number")
_SBP = Slot("systolic", "sbp|systolic(_(bp|blood_pressure))?", "number")
_WEIGHT = Slot("weight", "weight(_kg)?", "number")
_ALBUMIN = Slot("albumin", "(patient_|serum_)?albumin", "number")
_CALC = r"(calculate_|calc_)?"
_END = r"(_(calculator|score|calculation))?"


def _flag(name: str, names: str, *, optional: bool = False) -> Slot:
    return Slot(name, names, "flag", optional)


def _score(names: str, function: str, about: str, *items: Slot, **more: object) -> Formula:
    return Formula(f"{_CALC}({names}){_END}", f"medical.{function}", items, about, **more)  # type: ignore[arg-type]


FORMULAS: tuple[Formula, ...] = (
    _score(
        r"e?gfr_(ckd_)?epi_cr_cys", "egfr_with_cystatin", "eGFR by CKD-EPI 2021 from creatinine and cystatin C.",
        _AGE, _MALE, _SCR, Slot("cystatin", "scys|cystatin(_c)?", "number"), whole=True,
        examples=({"age": 50, "male": True, "creatinine": 1.0, "cystatin": 1.0},),
        golden=(({"age": 50, "male": True, "creatinine": 0.9, "cystatin": 0.8}, 111.0),),
    ),
    _score(
        r"e?gfr(_(ckd_)?epi)?", "egfr", "eGFR by CKD-EPI 2021 from creatinine.", _AGE, _MALE, _SCR,
        cue="2021|ckd-?epi", golden=(({"age": 50, "male": True, "creatinine": 0.9}, 104.0),),
        examples=({"age": 60, "male": False, "creatinine": 1.4},),
    ),
    _score(
        r"bmi(_bsa)?|body_mass_index", "body_mass", "Body mass index and body surface.", _WEIGHT,
        Slot("height", "height(_cm)?", "number"), Slot("unit", "height_unit|unit", optional=True), whole=True,
        golden=(({"weight": 70, "height": 175}, 22.86), ({"weight": 80, "height": 180}, 2.0)),
        examples=({"weight": 70, "height": 1.75, "unit": "m"},),
    ),
    _score(
        r"(crcl_)?cockcroft_gault|creatinine_clearance", "clearance", "Creatinine clearance after Cockcroft and Gault.",
        _AGE, _WEIGHT, Slot("inches", "height(_inches)?", "number"), _SCR, _SEX, cue="inch", whole=True,
        golden=(({"age": 40, "weight": 72, "inches": 70, "creatinine": 1, "sex": "male"}, 100.0),),
        examples=({"age": 40, "weight": 72, "inches": 70, "creatinine": 1, "sex": "female"},),
    ),
    _score(
        r"map|mean_arterial_pressure", "arterial_pressure", "Mean arterial pressure.", _SBP,
        Slot("diastolic", "dbp|diastolic(_(bp|blood_pressure))?", "number"), whole=True, cue="arterial",
        golden=(({"systolic": 120, "diastolic": 80}, 93.3),),
    ),
    _score(
        r"cha2?ds2?_?vasc", "stroke_score", "CHA2DS2-VASc score.", _AGE, _FEMALE, _flag("chf", "chf|heart_failure"),
        _flag("hypertension", "hypertension"), _flag("stroke", "stroke(_history)?"),
        _flag("vascular", "vascular(_disease)?"), _flag("diabetes", "diabetes"), whole=True,
        golden=(({"age": 76, "female": True, "chf": True, "hypertension": True, "stroke": True, "vascular": True,
                  "diabetes": True}, 9),),
        examples=({"age": 50, "female": False, "chf": False, "hypertension": False, "stroke": False, "vascular": False,
                   "diabetes": False},),
    ),
    _score(
        r"prevent(_cvd)?(_risk)?", "prevent_risk", "Ten-year risk of cardiovascular disease by PREVENT.", _AGE, _FEMALE,
        Slot("cholesterol", "tc|total_cholesterol", "number"), Slot("hdl", "hdl(_cholesterol)?", "number"), _SBP,
        _flag("diabetes", "diabetes"), _flag("smoker", "(current_)?smok(er|ing)"), Slot("egfr", "egfr", "number"),
        _flag("treated", "using_antihtn|bp_(treated|medication)"), _flag("statin", "(using_)?statins?"),
        cue="mmol", whole=True,
        golden=(({"age": 50, "female": True, "cholesterol": 5.172, "hdl": 1.1637, "systolic": 160, "diabetes": True,
                  "smoker": False, "egfr": 90, "treated": True, "statin": False}, 14.7),),
    ),
    _score(
        r"framingham(_risk)?", "heart_risk", "Ten-year risk of a heart attack by the Framingham equation.", _AGE, _SEX,
        Slot("cholesterol", "(total_)?cholesterol", "number"), Slot("hdl", "hdl(_cholesterol)?", "number"), _SBP,
        _flag("treated", "treated(_for_bp)?"), _flag("smoker", "smoker"), cue="mg/dL",
        examples=({"age": 55, "sex": "male", "cholesterol": 213, "hdl": 50, "systolic": 120, "treated": False,
                   "smoker": False},
                  {"age": 60, "sex": "female", "cholesterol": 230, "hdl": 45, "systolic": 150, "treated": True,
                   "smoker": True}),
    ),
    _score(
        r"corrected_calcium|calcium_correction", "corrected_calcium", "Calcium corrected for albumin.",
        Slot("calcium", "(serum_)?calcium", "number"), _ALBUMIN,
        Slot("normal", "normal_albumin", "number", optional=True), whole=True, unless="mmol",
        golden=(({"calcium": 8.0, "albumin": 2.0}, 9.6), ({"calcium": 8.0, "albumin": 2.0, "normal": 4.5}, 10.0)),
    ),
    _score(
        r"corrected_sodium|sodium_correction", "corrected_sodium", "Sodium corrected for glucose.",
        Slot("sodium", "(measured_|serum_)?sodium", "number"), Slot("glucose", "(serum_)?glucose", "number"),
        whole=True, golden=(({"sodium": 130, "glucose": 600}, 138.0), ({"sodium": 130, "glucose": 600}, 142.0)),
    ),
    _score(
        r"qtc|corrected_qt", "corrected_qt", "Corrected QT interval.",
        Slot("interval", "qt(_interval)?", "number"), Slot("rate", "heart_rate|hr", "number"),
        Slot("formula", "formula|method", optional=True), whole=True,
        golden=(({"interval": 400, "rate": 60}, 400.0), ({"interval": 360, "rate": 120, "formula": "hodges"}, 465.0)),
        examples=({"interval": 360, "rate": 120, "formula": "fridericia"},),
    ),
    _score(
        r"wells(_pe)?(_criteria)?", "embolism_score", "Wells' criteria for pulmonary embolism.",
        _flag("signs", "clinical_signs(_dvt)?", optional=True), _flag("likely", "alternative_diagnosis.*",
            optional=True),
        _flag("fast", "heart_rate.*", optional=True), _flag("immobile", "immobili[sz]ation.*", optional=True),
        _flag("previous", "previous.*", optional=True), _flag("hemoptysis", "h(a)?emoptysis", optional=True),
        _flag("malignancy", "malignancy|cancer", optional=True), cue="embolism", whole=True,
        golden=(({"signs": True, "likely": True, "fast": True}, 7.5), ({}, "low")),
    ),
    _score(
        r"(revised_cardiac_risk_index|rcri)", "cardiac_index", "Revised Cardiac Risk Index.",
        _flag("surgery", "high_risk_surgery", optional=True), _flag("ischemia", "isch(a)?emic.*", optional=True),
        _flag("failure", "congestive.*|heart_failure", optional=True), _flag("brain", "cerebrovascular.*",
            optional=True),
        _flag("insulin", "insulin.*", optional=True), _flag("creatinine", "creatinine.*", optional=True), whole=True,
        golden=(({"surgery": True, "insulin": True}, 10.1), ({}, 3.9)),
    ),
    _score(
        r"ibw(_abw)?|ideal_body_weight", "ideal_weight", "Ideal and adjusted body weight.", _WEIGHT,
        Slot("inches", "height_inches", "number"), _MALE, whole=True,
        golden=(({"weight": 100, "inches": 70, "male": True}, 73.0), ({"weight": 100, "inches": 70, "male": True},
            83.8)),
    ),
    _score(
        r"child_pugh", "cirrhosis_score", "Child-Pugh score.", Slot("bilirubin", "bilirubin", "number"), _ALBUMIN,
        Slot("inr", "inr", "number"), Slot("ascites", "ascites"),
        Slot("encephalopathy", "encephalopathy(_grade)?", "number"), whole=True, cue="mg/dL",
        golden=(({"bilirubin": 1, "albumin": 4, "inr": 1, "ascites": "absent", "encephalopathy": 0}, 5),
                ({"bilirubin": 4, "albumin": 2, "inr": 3, "ascites": "moderate", "encephalopathy": 4}, 15)),
    ),
    _score(
        r"meld(_?3(_?0)?)?", "liver_score", "MELD 3.0 score.", _AGE, _FEMALE, Slot("bilirubin", "bilirubin", "number"),
        Slot("inr", "inr", "number"), _SCR, _ALBUMIN, Slot("sodium", "(serum_)?sodium", "number"),
        _flag("dialysis", "dialysis"), cue="3\\.0",
        golden=(({"age": 50, "female": False, "bilirubin": 1, "inr": 1, "creatinine": 1, "albumin": 3.5, "sodium": 137,
                  "dialysis": False}, 6),
                ({"age": 50, "female": False, "bilirubin": 1, "inr": 1, "creatinine": 1, "albumin": 3.5, "sodium": 137,
                  "dialysis": True}, 18)),
        examples=({"age": 50, "female": True, "bilirubin": 5, "inr": 2, "creatinine": 2, "albumin": 2.5, "sodium": 130,
                   "dialysis": False},
                  {"age": 16, "female": False, "bilirubin": 5, "inr": 2, "creatinine": 2, "albumin": 2.5, "sodium": 130,
                   "dialysis": False}),
    ),
    _score(
        r"steroid_conver(sion|ter)", "steroid_dose", "The equivalent dose of another corticosteroid.",
        Slot("source", "from_steroid"), Slot("dose", "(from_)?dose(_mg)?", "number"), Slot("target", "to_steroid"),
        golden=(({"source": "prednisone", "dose": 10, "target": "hydrocortisone"}, 40.0),
                ({"source": "prednisone", "dose": 20, "target": "dexamethasone"}, 3.0)),
    ),
    _score(
        r"(mme|morphine_equivalents?)", "morphine_equivalent", "Morphine equivalents a day.", Slot("opioid",
            "opioid|drug"),
        Slot("dose", "dose(_per_administration)?(_mg)?", "number"), Slot("times", "doses_per_day|frequency", "number"),
        golden=(({"opioid": "oxycodone", "dose": 10, "times": 3}, 45.0),),
        examples=({"opioid": "fentanyl_patch", "dose": 25, "times": 1},),
    ),
    _score(
        r"maintenance_fluids?", "fluids", "Maintenance fluid by the 4-2-1 rule.", _WEIGHT,
        golden=(({"weight": 70}, 110), ({"weight": 15}, 50)),
    ),
    _score(
        r"homa_?ir", "insulin_resistance", "HOMA-IR.", Slot("insulin", "(fasting_)?insulin", "number"),
        Slot("glucose", "(fasting_)?glucose", "number"), cue="405|mg/dL",
        golden=(({"insulin": 9, "glucose": 90}, 2.0),),
    ),
    _score(
        r"pregnancy(_due_date)?", "pregnancy", "Dates of a pregnancy.", Slot("method", "(calculation_)?method"),
        Slot("date", "date(_value)?"), Slot("cycle", "cycle_length", "number", optional=True),
        Slot("weeks", "gestational_age_weeks", "number", optional=True),
        Slot("days", "gestational_age_days", "number", optional=True), whole=True, context={"now": "ctx.now"},
        golden=(({"method": "lmp", "date": "2026-01-01"}, "2026-10-08"),
                ({"method": "ultrasound", "date": "2026-03-12", "weeks": 10, "days": 0}, "2026-10-08")),
        examples=({"method": "ultrasound", "date": "2026-03-12", "weeks": 10, "days": 3},
                  {"method": "lmp", "date": "2026-01-01", "cycle": 30}),
    ),
)  # fmt: skip
