"""PostgreSQL in deployments: what the variants change. A backup is restored in tests/service/test_postgres.py."""

import subprocess
from typing import Any

import pytest
import yaml

from server.basics.database import PostgresUrl
from server.basics.settings import load
from tests.deploy.reading import DEPLOY, compose, documents
from tests.deploy.test_files import tool

VARIANT = DEPLOY / "kubernetes-postgresql"


@pytest.fixture(scope="module")
def made() -> dict[tuple[str, str], Any]:
    """Everything that `kubectl apply -k` would send."""
    kubectl = tool("kubectl", "https://kubernetes.io/docs/tasks/tools/")
    done = subprocess.run([kubectl, "kustomize", str(VARIANT)], capture_output=True, text=True, timeout=60, check=True)
    return {(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(done.stdout)}


def test_every_server_has_all_tables(made: dict[tuple[str, str], Any]) -> None:
    """None has them alone, and what is sent to that one's name comes to all."""
    assert not [name for kind, name in made if kind == "StatefulSet"]
    servers = made["Deployment", "saloon"]["spec"]["template"]
    for name in ("saloon", "saloon-tables"):
        service = made["Service", name]["spec"]
        assert service["selector"].items() <= servers["metadata"]["labels"].items()
        assert [port["port"] for port in service["ports"]] == [50051, 8080]
    (container,) = servers["spec"]["containers"]
    (variable,) = container["env"]
    assert variable["name"] == "SALOON_DATABASE"
    secret = variable["valueFrom"]["secretKeyRef"]["name"]
    assert secret in [volume.get("secret", {}).get("secretName") for volume in servers["spec"]["volumes"]]
    mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
    assert {"/etc/saloon/database", "/etc/saloon/tokens", "/tmp"} <= mounts


def test_servers_reach_the_database_and_names_alone(made: dict[tuple[str, str], Any]) -> None:
    policy = made["NetworkPolicy", "saloon-servers"]["spec"]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert sorted(port["port"] for rule in policy["egress"] for port in rule["ports"]) == [53, 53, 5432]
    assert policy["ingress"]
    example = {each["kind"]: each for each in documents(VARIANT / "example.yaml")}
    labels = policy["egress"][0]["to"][0]["podSelector"]["matchLabels"]
    assert example["StatefulSet"]["spec"]["template"]["metadata"]["labels"] == labels
    (rule,) = example["NetworkPolicy"]["spec"]["ingress"]
    assert rule["from"][0]["podSelector"]["matchLabels"] == {"app": "saloon"}
    assert example["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == labels


def test_the_url_of_compose_names_its_database() -> None:
    services = documents(DEPLOY / "compose-postgresql.yaml")[0]["services"]
    url = (
        services["server"]["environment"]["SALOON_DATABASE"].replace("${POSTGRES_PASSWORD:", "secret").replace("}", "")
    )
    chosen = load(database=url).database
    assert isinstance(chosen, PostgresUrl)
    database = services["postgres"]["environment"]
    assert str(chosen).endswith("@postgres/" + database["POSTGRES_DB"])
    assert str(chosen).startswith(f"postgresql://{database['POSTGRES_USER']}:")
    assert services["postgres"]["networks"][0] in compose()["server"]["networks"]
