"""What is written at the practices: kinds of visits, guides that set rules, reasons, remarks and notes."""

from services_app.library.shared import prose

PRACTICES = (
    ("Thornhill Street Health Centre", "London", "18 Thornhill Street, London", "+44 20 7946 0700", True),
    ("Maaskade Gezondheidscentrum", "Rotterdam", "61 Maaskade, Rotterdam", "+31 10 555 7040", True),
    ("Colston Yard Practice", "Bristol", "3 Colston Yard, Bristol", "+44 117 496 0740", False),
)
# name, practice, specialty, languages, takes new patients
PRACTITIONERS = (
    ("Dr Imogen Hale", 0, "general practice", ("English", "French"), True),
    ("Dr Farid Nazari", 0, "occupational health", ("English", "Arabic", "Dari"), True),
    ("Marta Kowal", 0, "physiotherapy", ("English", "Polish"), True),
    ("Dr Sunniva Brandt", 0, "dermatology", ("English", "Norwegian"), True),
    ("Dr Owen Trask", 0, "dentistry", ("English",), True),
    ("Dr Annelies Vroom", 1, "general practice", ("Dutch", "English"), True),
    ("Dr Pieter Maas", 1, "occupational health", ("Dutch", "English", "German"), True),
    ("Sjoerd Bakema", 1, "physiotherapy", ("Dutch", "English"), False),
    ("Dr Harriet Coombe", 2, "general practice", ("English",), False),
    ("Dr Leon Abara", 2, "occupational health", ("English", "Igbo"), True),
    ("Nuala Keane", 2, "physiotherapy", ("English", "Irish"), True),
    ("Dr Rhys Penhallow", 2, "dentistry", ("English", "Welsh"), True),
)
# name, specialty, minutes, fee, needs referral, notice in hours, preparation
VISIT_TYPES = (
    ("Consultation", "general practice", 15, 45.0, False, 2, "Bring a list of what you take at present."),
    ("Long consultation", "general practice", 30, 80.0, False, 24, "Write down what matters most, in three lines."),
    ("Travel vaccination", "general practice", 15, 38.0, False, 48,
     "Bring your vaccination record and the dates of the journey. Some courses start six weeks before departure."),
    ("Driver medical", "occupational health", 45, 120.0, False, 72,
     "Bring your driving licence, your glasses and the form of your employer. No caffeine for two hours before."),
    ("Return-to-work assessment", "occupational health", 30, 95.0, True, 24,
     "Bring the letter of your doctor. Your employer gets a statement of fitness, never a diagnosis."),
    ("Display screen eye test", "occupational health", 15, 30.0, False, 4, "Bring the glasses that you wear at work."),
    ("First physiotherapy", "physiotherapy", 45, 70.0, True, 24, "Wear clothes that you can move in."),
    ("Follow-up physiotherapy", "physiotherapy", 30, 48.0, False, 24, "Do the exercises once on the day before."),
    ("Skin check", "dermatology", 30, 110.0, True, 48, "No make-up, no nail varnish; photographs of changes help."),
    ("Dental check-up", "dentistry", 30, 55.0, False, 24, "Nothing to prepare."),
    ("Hygienist", "dentistry", 45, 62.0, False, 24, "Eat something light before."),
)  # fmt: skip
# title, status, days since it holds, body
GUIDES = (
    ("Missed visits and late cancellations", "current", 210, prose("""
        A visit that is cancelled less than 24 hours before it starts is charged with half of its fee. A visit that is
        missed without a word is charged in full. Three missed visits within a year suspend booking: the practice
        calls, and only the practice manager lifts it.

        A charge can be waived once a year, for illness, an accident or a train that did not run. Write the reason down.
        Charges of occupational health visits are paid by the employer, never by the employee.""")),
    ("Missed visits and late cancellations (until last summer)", "superseded", 640, prose("""
        A visit that is cancelled less than 48 hours before it starts costs 25 pounds, whatever its fee. Missed visits
        cost 40 pounds. Charges are waived whenever a patient asks.""")),
    ("Who goes first on the waiting list", "current", 150, prose("""
        Urgent entries come first, then the order in which patients joined. A time that falls free is offered within
        the wished days and with the wished practitioner only. Somebody who declines twice goes to the end of the
        list. Family of staff is treated like everybody else.""")),
    ("Driver medicals for employers", "current", 95, prose("""
        Drivers of vehicles above 3.5 tonnes need a driver medical every five years up to the age of 45, then every
        three years. Employers book; give the order number of the employer in the reason, for the invoice. The driver
        gets the result on the day, the employer gets a certificate of fitness within three working days.""")),
    ("Driver medicals: draft of a yearly scheme", "superseded", 400, prose("""
        Every driver is seen once a year. The scheme was not adopted: the five-year rule stays.""")),
    ("What the desk may say on the phone", "current", 320, prose("""
        Ask for the date of birth before anything else. Time and place of a visit may be told to the patient only; an
        employer learns that an occupational health visit took place, nothing more. Clinical notes are not read out.
        Results are given by clinicians.""")),
    ("Referrals", "current", 260, prose("""
        A referral holds for 180 days from its date and for the number of visits on it. A missed visit uses one up.
        When a patient has more than one, the one that expires first is used. Physiotherapy needs a referral for the
        first visit only.""")),
    ("Moving a visit", "current", 120, prose("""
        A visit can be moved twice, up to 24 hours before it starts. After that it can only be cancelled. A visit that
        was moved has to be confirmed again.""")),
)  # fmt: skip
REASONS = {
    "general practice": (
        "Cough for two weeks, worse at night.", "Headaches after long days at the screen.",
        "Blood pressure, second reading.", "Travels to {company} in {city} on {start}; asks what is needed.",
    ),
    "occupational health": (
        "For work at {company}, order {po}; starts on {start}.", "Sent by {owner}; order {po}.",
        "Night shifts in the warehouse from {start}.", "Eyes tire with the new {product} screens.",
    ),
    "physiotherapy": ("Lower back, from lifting.", "Shoulder after a fall.", "Knee, six weeks after surgery."),
    "dermatology": ("A mole that has changed.", "Rash on both hands since the gloves were changed."),
    "dentistry": ("Yearly check-up.", "A filling has come loose.", "Sensitive to cold on the left."),
}  # fmt: skip
REMARKS = (
    "Works with {company} in {city} until {end}; afternoons only.",
    "Hard of hearing on the left: speak up, and write times down.",
    "Uses a wheelchair: practices without steps only.",
    "Asks to be called on the mobile, not at work.",
    "Penicillin allergy: told by the patient, not yet in the file.",
    "Invoices for occupational health go to {owner_email}, with order {po}.",
)
NOTES = (
    "Called: can come half an hour earlier if somebody cancels.",
    "Brings the form for {company}; it needs a stamp and the order number {po}.",
    "Asked for an invoice to {contact_email}; the amount is agreed with {contact}.",
    "Wants the certificate before {start}, when the work in {city} begins.",
    "Came to the wrong practice last time: send the address with the reminder.",
    "Do not move this one again: {owner} has planned the shift around it.",
    "The interpreter is ordered; she needs 45 minutes of notice.",
)
CLINICAL = ("Findings as discussed; see letter.", "Medication changed, control in six weeks.", "Results pending.")
CANCELLATIONS = ("Train cancelled.", "Meeting with {company} was moved.", "Feels better.", "A child is ill.", "")
WAIVERS = ("Ambulance call on the day, seen by the desk.", "Storm: no trains from {city}.")
QUESTIONS = (
    "Please assess and treat.",
    "Fit for lifting?",
    "Please rule out a fracture.",
    "Six sessions, please.",
)
ABSENCES = ("Conference", "Holiday", "Training of the team", "Home visits", "Teaching at the university")
REFERRERS = ("Dr Imogen Hale", "Dr Annelies Vroom", "Dr Harriet Coombe", "Dr Celia Rowntree")
