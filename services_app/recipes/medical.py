"""Published clinical formulas and scores. Each names its source; results are rounded as the source rounds them."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

from services_app.engine.errors import invalid
from services_app.recipes.dates import moment_of

Number = int | float


def _positive(**values: Number) -> None:
    for name, value in values.items():
        if not 0 < value < 1e6:
            raise invalid(f"{name} must be a positive measurement, not {value}.", type="out_of_range")


def _exp(value: float) -> float:
    return math.exp(min(value, 700.0))


def _adult(age: Number, low: int = 0, high: int = 130) -> None:
    if not low <= age <= high:
        raise invalid(f"The age must lie between {low} and {high} years.", type="out_of_range")


def _is_male(sex: str) -> bool:
    word = str(sex).strip().lower()
    if word not in ("male", "m", "female", "f"):
        raise invalid(f"Unknown sex {sex!r}. Use 'male' or 'female'.")
    return word in ("male", "m")


def egfr(creatinine: Number, age: Number, male: bool) -> float:
    """CKD-EPI 2021 from creatinine in mg/dL (Inker, NEJM 2021): mL/min/1.73 m2."""
    _positive(creatinine=creatinine)
    _adult(age)
    ratio = creatinine / (0.9 if male else 0.7)
    value = 142 * min(ratio, 1) ** (-0.302 if male else -0.241) * max(ratio, 1) ** -1.2 * 0.9938**age
    return float(round(value * (1 if male else 1.012), 1))


def egfr_with_cystatin(creatinine: Number, cystatin: Number, age: Number, male: bool) -> dict[str, Any]:
    """CKD-EPI 2021 from creatinine in mg/dL and cystatin C in mg/L (Inker, NEJM 2021)."""
    _positive(creatinine=creatinine, cystatin=cystatin)
    _adult(age)
    ratio, other = creatinine / (0.9 if male else 0.7), cystatin / 0.8
    value = 135 * min(ratio, 1) ** (-0.144 if male else -0.219) * max(ratio, 1) ** -0.544
    value *= min(other, 1) ** -0.323 * max(other, 1) ** -0.778 * 0.9961**age * (1 if male else 0.963)
    return {"egfr": round(value, 1), "unit": "mL/min/1.73m^2"}


def body_mass(weight: Number, height: Number, unit: str | None = None) -> dict[str, Any]:
    """Body mass index with the WHO classes, body surface after Mosteller; weight in kg, height in cm (or m)."""
    _positive(weight=weight, height=height)
    if (unit or "cm") not in ("cm", "m"):
        raise invalid(f"Unknown unit {unit!r}. Use 'cm' or 'm'.")
    metres = height if unit == "m" else height / 100
    bmi = weight / metres**2
    classes = ((18.5, "underweight"), (25, "normal"), (30, "overweight"))
    return {
        "bmi": round(bmi, 2),
        "bsa": round(math.sqrt(metres * 100 * weight / 3600), 2),
        "classification": next((name for limit, name in classes if bmi < limit), "obese"),
    }


def ideal_weight(weight: Number, inches: Number, male: bool) -> dict[str, Any]:
    """Ideal weight after Devine and adjusted weight, in kg."""
    _positive(weight=weight, height=inches)
    ideal = (50 if male else 45.5) + 2.3 * (inches - 60)
    return {
        "ideal_body_weight": round(ideal, 2),
        "adjusted_body_weight": round(ideal + 0.4 * (weight - ideal), 2),
        "actual_body_weight": weight,
    }


def clearance(age: Number, weight: Number, inches: Number, creatinine: Number, sex: str) -> dict[str, Any]:
    """Creatinine clearance after Cockcroft and Gault for actual, ideal and adjusted weight, in mL/min."""
    _positive(creatinine=creatinine)
    _adult(age)
    male = _is_male(sex)
    weights = ideal_weight(weight, inches, male)
    factor = (140 - age) / (72 * creatinine) * (1 if male else 0.85)
    named = (("actual", weight), ("ideal", weights["ideal_body_weight"]), ("adjusted", weights["adjusted_body_weight"]))
    return {f"clearance_{name}": round(factor * kilograms, 1) for name, kilograms in named} | weights


def arterial_pressure(systolic: Number, diastolic: Number) -> dict[str, Any]:
    """Mean arterial pressure in mmHg."""
    _positive(systolic=systolic, diastolic=diastolic)
    if diastolic > systolic:
        raise invalid("The diastolic pressure is above the systolic one.")
    return {"map": round(diastolic + (systolic - diastolic) / 3, 1), "sbp": systolic, "dbp": diastolic}


def stroke_score(
    age: Number, female: bool, chf: bool, hypertension: bool, stroke: bool, vascular: bool, diabetes: bool
) -> dict[str, Any]:
    """CHA2DS2-VASc (Lip 2010)."""
    _adult(age)
    score = (2 if age >= 75 else 1 if age >= 65 else 0) + 2 * stroke
    return {"score": score + female + chf + hypertension + vascular + diabetes, "maximum": 9}


_PREVENT = {  # Khan, Circulation 2024: base equation for total cardiovascular disease in ten years
    True: (
        -3.307728, 0.7939329, 0.0305239, -0.1606857, -0.2394003, 0.3600781, 0.8667604, 0.5360739, 0.6045917, 0.0433769,
        0.3151672, -0.1477655, -0.0663612, 0.1197879, -0.0819715, 0.0306769, -0.0946348, -0.27057, -0.078715,
            -0.1637806,
    ),
    False: (
        -3.031168, 0.7688528, 0.0736174, -0.0954431, -0.4347345, 0.3362658, 0.7692857, 0.4386871, 0.5378979, 0.0164827,
        0.288879, -0.1337349, -0.0475924, 0.150273, -0.0517874, 0.0191169, -0.1049477, -0.2251948, -0.0895067,
            -0.1543702,
    ),
}  # fmt: skip


def prevent_risk(  # noqa: PLR0913 - the items of the equation
    *,
    age: Number,
    female: bool,
    cholesterol: Number,
    hdl: Number,
    systolic: Number,
    diabetes: bool,
    smoker: bool,
    egfr: Number,
    treated: bool,
    statin: bool,
) -> dict[str, Any]:
    """Ten-year risk of cardiovascular disease by PREVENT; cholesterol in mmol/L."""
    _positive(cholesterol=cholesterol, hdl=hdl, systolic=systolic, egfr=egfr)
    _adult(age, 30, 79)
    years, other, good = (age - 55) / 10, cholesterol - hdl - 3.5, (hdl - 1.3) / 0.3
    low, high = (min(systolic, 110) - 110) / 20, (max(systolic, 110) - 130) / 20
    poor, fair = (min(egfr, 60) - 60) / -15, (max(egfr, 60) - 90) / -15
    terms = (
        1, years, other, good, low, high, diabetes, smoker, poor, fair, treated, statin, treated * high,
        statin * other, years * other, years * good, years * high, years * diabetes, years * smoker, years * poor,
    )  # fmt: skip
    odds = sum(weight * term for weight, term in zip(_PREVENT[female], terms, strict=True))
    return {"risk_percent": round(100 / (1 + _exp(-odds)), 1), "years": 10}


def heart_risk(
    age: Number, cholesterol: Number, hdl: Number, systolic: Number, treated: bool, smoker: bool, sex: str
) -> float:
    """Ten-year risk of a heart attack in percent: Framingham equation of ATP III, cholesterol in mg/dL."""
    _positive(cholesterol=cholesterol, hdl=hdl, systolic=systolic)
    _adult(age, 30, 79)
    a, c, h, s = (math.log(value) for value in (age, cholesterol, hdl, systolic))
    if _is_male(sex):
        smoking = smoker * (12.096316 - 2.84367 * math.log(min(age, 70)))
        line = 52.00961 * a + 20.014077 * c - 0.905964 * h + 1.305784 * s + 0.241549 * treated + smoking
        line += -4.605038 * a * c - 2.93323 * a * a - 172.300168
        return float(round(100 * (1 - 0.9402 ** _exp(line)), 1))
    smoking = smoker * (13.07543 - 2.996945 * math.log(min(age, 78)))
    line = 31.764001 * a + 22.465206 * c - 1.187731 * h + 2.552905 * s + 0.420251 * treated + smoking
    return float(round(100 * (1 - 0.98767 ** _exp(line - 5.060998 * a * c - 146.5933061)), 1))


def corrected_calcium(calcium: Number, albumin: Number, normal: Number | None = None) -> dict[str, Any]:
    """Calcium in mg/dL corrected for albumin in g/dL (Payne 1973)."""
    _positive(calcium=calcium, albumin=albumin)
    value = round(calcium + 0.8 * ((4.0 if normal is None else normal) - albumin), 2)
    verdict = "low" if value < 8.5 else "high" if value > 10.5 else "normal"
    return {"corrected_calcium": value, "unit": "mg/dL", "interpretation": verdict}


def corrected_sodium(sodium: Number, glucose: Number) -> dict[str, Any]:
    """Sodium in mEq/L corrected for glucose in mg/dL, after Katz and after Hillier."""
    _positive(sodium=sodium, glucose=glucose)
    return {
        "katz": round(sodium + 0.016 * (glucose - 100), 2),
        "hillier": round(sodium + 0.024 * (glucose - 100), 2),
    }


def corrected_qt(interval: Number, rate: Number, formula: str | None = None) -> dict[str, Any]:
    """QTc in ms from QT in ms and the heart rate per minute."""
    _positive(qt_interval=interval, heart_rate=rate)
    name, beat = (formula or "bazett").lower(), 60 / rate
    values = {
        "bazett": interval / math.sqrt(beat),
        "fridericia": interval / beat ** (1 / 3),
        "framingham": interval + 154 * (1 - beat),
        "hodges": interval + 1.75 * (rate - 60),
        "rautaharju": interval * (120 + rate) / 180,
    }
    if name not in values:
        raise invalid(f"Unknown formula {formula!r}. Use one of {', '.join(values)}.")
    return {"qtc": round(values[name], 1), "unit": "ms", "formula": name}


def embolism_score(
    signs: bool = False,
    likely: bool = False,
    fast: bool = False,
    immobile: bool = False,
    previous: bool = False,
    hemoptysis: bool = False,
    malignancy: bool = False,
) -> dict[str, Any]:
    """Wells' criteria for pulmonary embolism (Wells 2000)."""
    score = 3 * (signs + likely) + 1.5 * (fast + immobile + previous) + hemoptysis + malignancy
    return {
        "score": score,
        "three_tier": "low" if score < 2 else "moderate" if score <= 6 else "high",
        "two_tier": "unlikely" if score <= 4 else "likely",
    }


def cardiac_index(
    surgery: bool = False,
    ischemia: bool = False,
    failure: bool = False,
    brain: bool = False,
    insulin: bool = False,
    creatinine: bool = False,
) -> dict[str, Any]:
    """Revised Cardiac Risk Index (Lee 1999) with the risks of the CCS guideline of 2017."""
    score = surgery + ischemia + failure + brain + insulin + creatinine
    return {"score": score, "risk_percent": (3.9, 6.0, 10.1, 15.0)[min(score, 3)]}


def cirrhosis_score(
    bilirubin: Number, albumin: Number, inr: Number, ascites: str, encephalopathy: Number
) -> dict[str, Any]:
    """Child-Pugh; bilirubin in mg/dL, albumin in g/dL."""
    _positive(bilirubin=bilirubin, albumin=albumin, inr=inr)
    fluid = {"absent": 1, "none": 1, "slight": 2, "mild": 2, "moderate": 3, "severe": 3}.get(str(ascites).lower())
    if fluid is None:
        raise invalid(f"Unknown ascites {ascites!r}. Use 'absent', 'slight' or 'moderate'.")
    if encephalopathy not in (0, 1, 2, 3, 4):
        raise invalid("The grade of encephalopathy is a whole number from 0 to 4.")
    score = fluid + (1 if encephalopathy == 0 else 2 if encephalopathy <= 2 else 3)
    score += 1 if bilirubin < 2 else 2 if bilirubin <= 3 else 3
    score += 1 if albumin > 3.5 else 2 if albumin >= 2.8 else 3
    score += 1 if inr < 1.7 else 2 if inr <= 2.3 else 3
    return {"score": score, "class": "A" if score <= 6 else "B" if score <= 9 else "C"}


def liver_score(
    age: Number,
    female: bool,
    bilirubin: Number,
    inr: Number,
    creatinine: Number,
    albumin: Number,
    sodium: Number,
    dialysis: bool,
) -> int:
    """MELD 3.0 (Kim 2021); everybody below 18 gets the points that women get."""
    _positive(bilirubin=bilirubin, inr=inr, creatinine=creatinine, albumin=albumin, sodium=sodium)
    _adult(age, 12)
    b, i = math.log(max(bilirubin, 1)), math.log(max(inr, 1))
    c = math.log(3.0 if dialysis else min(max(creatinine, 1), 3.0))
    salt, protein = 137 - min(max(sodium, 125), 137), 3.5 - min(max(albumin, 1.5), 3.5)
    score = 1.33 * (female or age < 18) + 4.56 * b + 0.82 * salt - 0.24 * salt * b + 9.09 * i + 11.14 * c
    return min(max(math.floor(score + 1.85 * protein - 1.83 * protein * c + 6 + 0.5), 6), 40)


_STEROIDS = {
    "hydrocortisone": 20, "cortisone": 25, "prednisone": 5, "prednisolone": 5, "methylprednisolone": 4,
    "triamcinolone": 4, "dexamethasone": 0.75,
}  # fmt: skip
_OPIOIDS = {  # CDC 2022: milligrams of oral morphine per milligram (per mcg/h for the patch)
    "codeine": 0.15, "fentanyl_patch": 2.4, "hydrocodone": 1, "hydromorphone": 5, "methadone": 4.7, "morphine": 1,
    "oxycodone": 1.5, "oxymorphone": 3, "tapentadol": 0.4, "tramadol": 0.2,
}  # fmt: skip


def _drug(name: str, known: dict[str, float]) -> float:
    found = known.get("_".join(str(name).lower().split()))
    if found is None:
        raise invalid(f"Unknown drug {name!r}. Known are {', '.join(known)}.", type="unknown_drug")
    return found


def steroid_dose(source: str, dose: Number, target: str) -> float:
    """The equivalent dose of another corticosteroid in mg."""
    _positive(dose=dose)
    return round(dose / _drug(source, _STEROIDS) * _drug(target, _STEROIDS), 2)


def morphine_equivalent(opioid: str, dose: Number, times: Number) -> float:
    """Milligrams of oral morphine a day."""
    _positive(dose=dose, doses_per_day=times)
    return round(dose * times * _drug(opioid, _OPIOIDS), 2)


def fluids(weight: Number) -> Number:
    """Maintenance fluid in mL/h by the 4-2-1 rule; weight in kg."""
    _positive(weight=weight)
    return round(4 * min(weight, 10) + 2 * min(max(weight - 10, 0), 10) + max(weight - 20, 0), 2)


def insulin_resistance(insulin: Number, glucose: Number) -> float:
    """HOMA-IR from insulin in uIU/mL and glucose in mg/dL."""
    _positive(insulin=insulin, glucose=glucose)
    return round(insulin * glucose / 405, 2)


def pregnancy(
    now: str,
    method: str,
    date: str,
    cycle: Number | None = None,
    weeks: Number | None = None,
    days: Number | None = None,
) -> dict[str, Any]:
    """Dates of a pregnancy from the last period, from conception or from an ultrasound."""
    day, late = moment_of(date).date(), int(cycle or 28) - 28
    if not -10 <= late <= 20:
        raise invalid("The cycle must have between 18 and 48 days.", type="out_of_range")
    word = str(method).lower()
    if word == "conception":
        day -= dt.timedelta(days=14 + late)
    elif word == "ultrasound":
        if weeks is None:
            raise invalid("Give gestational_age_weeks with the ultrasound.", type="missing_argument")
        if not 0 <= weeks <= 45 or not 0 <= (days or 0) <= 6:
            raise invalid("The gestational age lies between 0 and 45 weeks and 6 days.", type="out_of_range")
        day -= dt.timedelta(days=int(weeks) * 7 + int(days or 0))
    elif word != "lmp":
        raise invalid(f"Unknown method {method!r}. Use 'lmp', 'conception' or 'ultrasound'.")
    age = (moment_of(now).date() - day).days
    return {
        "last_menstrual_period": day.isoformat(),
        "conception_date": (day + dt.timedelta(days=14 + late)).isoformat(),
        "due_date": (day + dt.timedelta(days=280 + late)).isoformat(),
        "gestational_age_days": age,
    }
