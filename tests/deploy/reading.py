"""What the deployment files say, for all tests of them."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

from server.basics.settings import Settings, load

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file())
SERVER_PORT, WEB_PORT, PROXY_PORT, METRICS_PORT = 50051, 8080, 50050, 9090


def documents(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(text)] if path.suffix == ".json" else list(yaml.safe_load_all(text))


def objects(kind: str) -> dict[str, Any]:
    """Those of this kind for Kubernetes, by name."""
    found = [d for path in KUBERNETES.glob("*.yaml") for d in documents(path) if d.get("kind") == kind]
    return {each["metadata"]["name"]: each for each in found}


def pods() -> dict[str, Any]:
    """The pods' specs, by the name of what makes them."""
    return {name: made["spec"]["template"]["spec"] for name, made in objects("Deployment").items()}


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's."""
    lines = [line for line in (DEPLOY / "Dockerfile").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    pairs = [line.partition(" ") for line in joined.splitlines() if line.strip()]
    return [(word, rest.strip()) for word, _, rest in pairs]


def stages() -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = []
    for word, rest in instructions():
        if word == "FROM":
            found.append([])
        if found:
            found[-1].append((word, rest))
    return found


def said(word: str) -> str:
    """What the last instruction of a kind in the image says."""
    return [rest for each, rest in stages()[-1] if each == word][-1]


def image_environment() -> dict[str, str]:
    pairs = [pair for word, rest in stages()[-1] if word == "ENV" for pair in rest.split()]
    return dict(pair.split("=", 1) for pair in pairs)


def compose() -> dict[str, Any]:
    services: dict[str, Any] = documents(DEPLOY / "compose.yaml")[0]["services"]
    return services


def settings_file(path: Path = KUBERNETES / "saloon.env") -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def compose_environment() -> dict[str, str]:
    said_there = compose()["server"]["environment"]
    return {name: re.sub(r"\$\{\w+:-(.*)\}", r"\1", value) for name, value in said_there.items()}


ENVIRONMENTS = {
    "image": {**image_environment(), "SALOON_INSECURE": "true"},
    "compose": {**image_environment(), **compose_environment()},
    "kubernetes": {**image_environment(), **settings_file()},
}


def settings(where: str) -> Settings:
    """But for files that are mounted, which must be there when settings are read."""
    known: dict[str, Any] = {
        n.removeprefix("SALOON_").lower(): v
        for n, v in ENVIRONMENTS[where].items()
        if n.startswith("SALOON_") and not v.startswith("/etc/saloon/")
    }
    return load(**known)
