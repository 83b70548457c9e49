"""The NetworkPolicies, read as Kubernetes reads them: who reaches whom, and that nobody else does.

No cluster is asked; this says what the words mean, by the rules of networking.k8s.io/v1: a pod that a policy selects is
cut off in the directions the policy names, but for what any policy allows; both sides must allow a connection."""

from ipaddress import ip_address, ip_network
from itertools import product
from typing import Any, NamedTuple

from tests.deploy.reading import DEPLOY, KUBERNETES, METRICS_PORT, PROXY_PORT, SERVER_PORT, WEB_PORT, documents, objects

POLICIES = [each["spec"] for each in documents(KUBERNETES / "network.yaml")]
OURS = "games"  # the namespace; any will do


class Peer(NamedTuple):
    namespace: str
    labels: dict[str, str]
    address: str = "10.0.0.1"


def ours(app: str) -> Peer:
    """One of our pods, with the labels its template gives it."""
    return Peer(OURS, objects("Deployment")[app]["spec"]["template"]["metadata"]["labels"])


ENVOY, SERVERS = ours("saloon-envoy"), ours("saloon")
PROMETHEUS = Peer("monitoring", {"app.kubernetes.io/name": "prometheus"})
DNS = Peer("kube-system", {"k8s-app": "kube-dns"})
DATABASE = Peer(OURS, {"app": "saloon-postgres"})  # of the example
CLIENT = Peer("shop", {"saloon-client": "true"})
CLIENT_HERE = Peer(OURS, {"saloon-client": "true"})
STRANGERS = [
    Peer("shop", {}),
    Peer(OURS, {"app": "other"}),
    Peer("shop", {"app": "saloon-envoy"}),  # called so, but elsewhere
    Peer("shop", {"app.kubernetes.io/name": "prometheus"}),
    Peer("monitoring", {"app.kubernetes.io/name": "grafana"}),
    Peer("internet", {}, "203.0.113.5"),
]
EVERYBODY = [ENVOY, SERVERS, DATABASE, PROMETHEUS, DNS, CLIENT, CLIENT_HERE, *STRANGERS]
PORTS = [SERVER_PORT, WEB_PORT, PROXY_PORT, METRICS_PORT, 9901, 5432, 53, 22, 443]


def selects(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    assert set(selector) <= {"matchLabels", "matchExpressions"}
    for each in selector.get("matchExpressions", []):
        assert each["operator"] == "In"
        if labels.get(each["key"]) not in each["values"]:
            return False
    return bool(selector.get("matchLabels", {}).items() <= labels.items())


def matches(rule: dict[str, Any], peer: Peer) -> bool:
    """Whether somebody is meant. Without a namespaceSelector pods of the policy's own namespace are."""
    if "ipBlock" in rule:
        return ip_address(peer.address) in ip_network(rule["ipBlock"]["cidr"])
    there = {"kubernetes.io/metadata.name": peer.namespace}
    if not (selects(rule["namespaceSelector"], there) if "namespaceSelector" in rule else peer.namespace == OURS):
        return False
    return selects(rule.get("podSelector", {}), peer.labels)


def allowed(pod: Peer, direction: str, other: Peer, port: int) -> bool:
    key, side = direction.lower(), {"Ingress": "from", "Egress": "to"}[direction]
    mine = [p for p in POLICIES if pod.namespace == OURS and selects(p["podSelector"], pod.labels)]
    mine = [p for p in mine if direction in p["policyTypes"]]
    if not mine:
        return True  # nobody has cut it off
    rules = [rule for policy in mine for rule in policy.get(key, [])]
    return any(
        any(matches(each, other) for each in rule[side]) and port in [each["port"] for each in rule["ports"]]
        for rule in rules
    )


def reaches(source: Peer, target: Peer, port: int) -> bool:
    return allowed(source, "Egress", target, port) and allowed(target, "Ingress", source, port)


def test_servers_are_reached_by_envoy_and_their_metrics_by_prometheus() -> None:
    may = [(ENVOY, SERVER_PORT), (ENVOY, WEB_PORT), (PROMETHEUS, METRICS_PORT)]
    for source, port in product(EVERYBODY, PORTS):
        assert reaches(source, SERVERS, port) == ((source, port) in may), (source, port)


def test_envoy_is_reached_by_clients_alone() -> None:
    """And by nobody at its administration's port."""
    for source, port in product(EVERYBODY, PORTS):
        wanted = port == PROXY_PORT and source in (CLIENT, CLIENT_HERE)
        assert reaches(source, ENVOY, port) == wanted, (source, port)


def test_servers_reach_only_the_database_and_dns_and_envoy_only_servers_and_dns() -> None:
    for target, port in product(EVERYBODY, PORTS):
        assert reaches(SERVERS, target, port) == ((target, port) in ((DATABASE, 5432), (DNS, 53))), (target, port)
        wanted = (target == SERVERS and port in (SERVER_PORT, WEB_PORT)) or (target == DNS and port == 53)
        assert reaches(ENVOY, target, port) == wanted, (target, port)
    assert reaches(ENVOY, Peer("node", {}, "169.254.20.10"), 53)


def test_every_pod_is_cut_off_before_anything_is_allowed() -> None:
    """By a policy that allows nothing; new pods, too."""
    (nothing,) = [p for p in POLICIES if not p.get("ingress") and not p.get("egress")]
    assert nothing["policyTypes"] == ["Ingress", "Egress"]
    for made in objects("Deployment").values():
        assert selects(nothing["podSelector"], made["spec"]["template"]["metadata"]["labels"])


def test_a_rule_never_means_everybody() -> None:
    """A rule without `from`, `to` or `ports` would mean all there are."""
    for policy in POLICIES:
        for rule in policy.get("ingress", []):
            assert set(rule) == {"from", "ports"}
            assert rule["from"]
        for rule in policy.get("egress", []):
            assert set(rule) == {"to", "ports"}
            assert rule["to"]


def test_in_compose_only_envoy_and_prometheus_reach_servers() -> None:
    """And servers nothing outside."""
    (made,) = documents(DEPLOY / "compose.yaml")
    assert made["networks"] == {"servers": {"internal": True}, "outside": None}
    inside = {name for name, service in made["services"].items() if "servers" in service["networks"]}
    assert inside == {"server", "envoy", "prometheus"}
    assert made["services"]["server"]["networks"] == ["servers"]
    assert "ports" not in made["services"]["server"]
