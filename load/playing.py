"""A profile as locust plays it: which users, and how many when."""

from locust import LoadTestShape, User

from load.profiles import Profile
from load.users import KINDS


def kinds(profile: Profile) -> list[type[User]]:
    """The kinds of user that come, in their proportions."""
    for name, weight in profile.weights.items():
        KINDS[name].weight = weight
    return [KINDS[name] for name, weight in profile.weights.items() if weight]


def steps(profile: Profile) -> type[LoadTestShape]:
    """How many users there are when."""

    class Steps(LoadTestShape):
        def tick(self) -> tuple[int, float] | None:
            left: float = self.get_run_time()  # type: ignore[no-untyped-call]
            for seconds, users in profile.steps:
                if left < seconds:
                    return users, profile.spawn_rate
                left -= seconds
            return None

    return Steps
