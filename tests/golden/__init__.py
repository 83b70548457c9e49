"""Whole games kept as records, with the table at their end: what was once right stays so."""
