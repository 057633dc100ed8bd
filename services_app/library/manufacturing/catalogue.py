"""What the plant makes, of which materials, and how."""

from __future__ import annotations

# sku, name, supplier, cost
MATERIALS = (
    ("RM-110", "Battery pack 5200 mAh", "Voss Batterijen", 6.4),
    ("RM-120", "Battery pack 6000 mAh", "Voss Batterijen", 7.9),
    ("RM-130", "Screw kit M2.5", "Ostrava Metalworks", 0.35),
    ("RM-131", "Screw kit M2.5 stainless", "Ostrava Metalworks", 0.55),
    ("RM-140", "Shipping carton S", "Brockwell Packaging", 0.6),
    ("RM-141", "Shipping carton S recycled", "Brockwell Packaging", 0.52),
    ("RM-150", "Type label", "Carrow Print Works", 0.08),
    ("RM-160", "Antenna 868 MHz", "Halden Components", 2.1),
    ("RM-161", "Antenna dual band", "Tessel Connectors", 2.6),
    ("RM-170", "Scan engine", "Lumière Optique", 31.0),
    ("RM-180", "Display 4.3 inch", "Halden Components", 14.2),
    ("RM-190", "Power supply 12 V", "Tessel Connectors", 4.4),
    ("RM-200", "Temperature probe", "Baltic Sensor House", 5.8),
    ("RM-210", "Print head 203 dpi", "Halden Components", 38.0),
    ("RM-220", "GNSS module", "Tessel Connectors", 9.9),
    ("RM-230", "USB-C socket", "Tessel Connectors", 0.7),
)
EVERYWHERE = (("RM-140", 1), ("RM-150", 1))
# word in the product's name -> other materials, its work centre for assembly, characteristics
MADE_OF = {
    "HS-2": ((("RM-170", 1), ("RM-110", 1), ("RM-130", 2), ("RM-230", 1)), "ASM-1"),
    "HS-4": ((("RM-170", 1), ("RM-110", 1), ("RM-180", 1), ("RM-130", 2), ("RM-230", 1)), "ASM-1"),
    "LP-1": ((("RM-210", 1), ("RM-190", 1), ("RM-130", 2)), "ASM-2"),
    "T5": ((("RM-220", 1), ("RM-160", 1), ("RM-130", 1)), "ASM-2"),
    "G10": ((("RM-160", 2), ("RM-190", 1), ("RM-130", 3)), "ASM-1"),
    "Sensor": ((("RM-200", 1), ("RM-110", 1)), "ASM-2"),
    "Charger": ((("RM-190", 1), ("RM-130", 2), ("RM-230", 2)), "ASM-2"),
}
CHARACTERISTICS = {
    "HS-2": (("Scan distance", "cm", 55.0, 90.0), ("Run time", "h", 9.0, 14.0)),
    "HS-4": (("Scan distance", "cm", 70.0, 110.0), ("Run time", "h", 11.0, 16.0)),
    "LP-1": (("Print darkness", "%", 85.0, 100.0), ("Noise", "dB", 30.0, 58.0)),
    "T5": (("Position error", "m", 0.0, 3.5), ("Standby current", "mA", 1.0, 6.0)),
    "G10": (("Transmit power", "dBm", 12.0, 14.0), ("Case temperature", "°C", 20.0, 62.0)),
    "Sensor": (("Deviation at 4 °C", "K", 0.0, 0.5), ("Seal pressure", "kPa", 28.0, 40.0)),
    "Charger": (("Output voltage", "V", 11.8, 12.3), ("Leakage current", "mA", 0.0, 0.3)),
}
# code, name, hours a day, rate
CENTERS = (
    ("SMT-1", "Board assembly", 16, 64.0),
    ("ASM-1", "Assembly line 1", 8, 38.0),
    ("ASM-2", "Assembly line 2", 8, 38.0),
    ("TST-1", "Test bench", 8, 45.0),
    ("CAL-1", "Calibration bench", 8, 52.0),
    ("PCK-1", "Packing table", 8, 29.0),
)
CREW = (
    ("Corwin Blythe", "operator"),
    ("Halina Mazur", "operator"),
    ("Teodor Brask", "operator"),
    ("Ngozi Amadi", "operator"),
    ("Ewan Kirkbride", "operator"),
    ("Lisbeth Aune", "operator"),
    ("Raimund Pichler", "inspector"),
    ("Saskia Verbruggen", "inspector"),
    ("Ilse Hofmann", "quality_engineer"),
)


def word_of(name: str) -> str:
    """The word of a product's name under which it stands in the tables above."""
    return next(word for word in MADE_OF if word in name)
