"""PostgreSQL in deployments: who has it, and reaches it. A backup is restored in tests/service/test_postgres.py."""

import subprocess

import pytest
import yaml

from server.basics.database import PostgresUrl
from server.basics.settings import load
from tests.deploy.reading import DEPLOY, KUBERNETES, compose, documents
from tests.deploy.test_files import tool


@pytest.mark.parametrize("variant", ["kubernetes", "kubernetes-tls"])
def test_every_server_has_all_tables(variant: str) -> None:
    """None has them alone: what `kubectl apply -k` would send."""
    kubectl = tool("kubectl", "https://kubernetes.io/docs/tasks/tools/")
    done = subprocess.run(
        [kubectl, "kustomize", str(DEPLOY / variant)], capture_output=True, text=True, timeout=60, check=True
    )
    made = {(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(done.stdout)}
    assert [name for kind, name in made if kind in ("Deployment", "StatefulSet")] == ["saloon", "saloon-envoy"]
    servers = made["Deployment", "saloon"]["spec"]["template"]
    assert made["Service", "saloon"]["spec"]["selector"].items() <= servers["metadata"]["labels"].items()
    (container,) = servers["spec"]["containers"]
    (variable,) = container["env"]
    assert variable["name"] == "SALOON_DATABASE"
    secret = variable["valueFrom"]["secretKeyRef"]["name"]
    assert secret in [volume.get("secret", {}).get("secretName") for volume in servers["spec"]["volumes"]]
    mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
    assert {"/etc/saloon/database", "/etc/saloon/tokens", "/tmp"} <= mounts


def test_the_example_is_reached_by_servers_alone() -> None:
    """Under the name that they may call."""
    example = {each["kind"]: each for each in documents(KUBERNETES / "example" / "postgresql.yaml")}
    labels = example["StatefulSet"]["spec"]["template"]["metadata"]["labels"]
    (policy,) = [
        each for each in documents(KUBERNETES / "network.yaml") if each["metadata"]["name"] == "saloon-servers"
    ]
    assert policy["spec"]["egress"][0]["to"][0]["podSelector"]["matchLabels"] == labels
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
