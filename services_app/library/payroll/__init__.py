"""Payroll: who is paid what, monthly pay runs, approvals, payslips and deductions."""

from services_app.library.payroll import employees, items, reports, runs, seed
from services_app.library.payroll.state import service

__all__ = ["employees", "items", "reports", "runs", "seed", "service"]
