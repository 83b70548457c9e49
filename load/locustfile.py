"""For locust itself, distributed or with its web page:

SALOON_PROFILE=steady locust -f load/locustfile.py --host localhost:50051 [--master | --worker]
"""

import os

from load.profiles import load
from load.users import KINDS

_profile = load(os.environ.get("SALOON_PROFILE", "smoke"))
for _name, _kind in KINDS.items():
    _kind.weight = _profile.weights.get(_name, 0)
    if _kind.weight:
        globals()[_name] = _kind
