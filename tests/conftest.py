"""How thoroughly the property tests look: the profile named by HYPOTHESIS_PROFILE, else the one of the gate."""

import os

from hypothesis import HealthCheck, settings

EXAMPLES = 40
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)

settings.register_profile(
    "gate", max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=SLOW
)
settings.register_profile(
    "deep", max_examples=50 * EXAMPLES, derandomize=False, deadline=None, suppress_health_check=SLOW, print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))
