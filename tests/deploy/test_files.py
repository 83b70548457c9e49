"""The deployment files say what is so: settings, metrics, ports and times exist and agree, commands run."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.parse
import urllib.request
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml
from saloon_client.v1 import bots_pb2

from saloon.ports import free_port
from server.basics.metrics import Metrics
from server.basics.settings import Settings
from tests.deploy.containers import command, container, environment, saloon, token_of, with_token
from tests.deploy.reading import (
    DEPLOY,
    ENVIRONMENTS,
    FILES,
    KUBERNETES,
    METRICS_PORT,
    PROXY_PORT,
    ROOT,
    SERVER_PORT,
    WEB_PORT,
    compose,
    documents,
    objects,
    pods,
    said,
    settings,
    settings_file,
    stages,
)
from tests.service.games import Stubs, iterations, milliseconds, of

# ---- What is written there


@pytest.mark.parametrize("path", [p for p in FILES if p.suffix in (".yaml", ".json")], ids=lambda p: p.name)
def test_files_are_well_formed(path: Path) -> None:
    assert all(documents(path))


@pytest.mark.parametrize("where", ENVIRONMENTS)
def test_settings_exist_and_fit(where: str) -> None:
    assert settings(where).port == SERVER_PORT


def test_every_setting_named_anywhere_exists() -> None:
    """SALOON_ names in all files, comments included; SALOON_MARCH belongs to setup.py and is never set."""
    known = {f"SALOON_{name.upper()}" for name in Settings.model_fields}
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r"\bSALOON_[A-Z_]+", text)) - {"SALOON_MARCH"} <= known, path
        assert not re.search(r"SALOON_MARCH\s*[=:]\s*\S", text), path
        flags = set(re.findall(r"(?<=\s)`?--([a-z]+-[a-z-]+)", text)) if path.suffix in (".cfg", ".conf") else set()
        assert {flag.replace("-", "_") for flag in flags} <= set(Settings.model_fields), path


def exposed() -> set[str]:
    """Every name a scrape can have."""
    return {sample for m in Metrics().registry.collect() for sample in names(m.name, m.type)}


def names(name: str, kind: str) -> list[str]:
    return {
        "gauge": [name],
        "counter": [f"{name}_total"],
        "histogram": [f"{name}_bucket", f"{name}_sum", f"{name}_count"],
    }[kind]


@pytest.mark.parametrize("path", ["grafana/saloon.json", "alerts.yaml", "kubernetes/servers.yaml"])
def test_metrics_exist(path: str) -> None:
    text = (DEPLOY / path).read_text(encoding="utf-8")
    found = set(re.findall(r"\bsaloon_[a-z_]+", text))
    assert found
    assert found <= exposed()


def test_the_dashboard_shows_every_metric() -> None:
    text = (DEPLOY / "grafana" / "saloon.json").read_text(encoding="utf-8")
    for metric in Metrics().registry.collect():
        if metric.name.startswith("process_"):  # the usual ones of any process
            continue
        assert any(re.search(rf"\b{name}\b", text) for name in names(metric.name, metric.type)), metric.name


def expressions() -> list[str]:
    """The dashboard's, as Prometheus gets them from Grafana."""
    (dashboard,) = documents(DEPLOY / "grafana" / "saloon.json")
    found = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    return [text.replace("$instance", ".*").replace("$__rate_interval", "1m") for text in found]


def test_ports_agree() -> None:
    services = compose()
    assert said("EXPOSE").split() == [str(SERVER_PORT), str(WEB_PORT), str(METRICS_PORT)]
    assert all(settings(where).http_port == WEB_PORT for where in ENVIRONMENTS)
    assert all(settings(where).port == SERVER_PORT for where in ENVIRONMENTS)
    assert all(settings(where).metrics_port == METRICS_PORT for where in ENVIRONMENTS)
    assert all(settings(where).metrics_host == "0.0.0.0" for where in ENVIRONMENTS)
    assert services["envoy"]["ports"] == [f"127.0.0.1:{PROXY_PORT}:{PROXY_PORT}"]
    (prometheus,) = documents(DEPLOY / "prometheus.yaml")
    (dns,) = prometheus["scrape_configs"][0]["dns_sd_configs"]
    assert (dns["names"], dns["port"]) == (["server"], METRICS_PORT)
    made = objects("Deployment")["saloon"]["spec"]["template"]
    assert made["metadata"]["annotations"]["prometheus.io/port"] == str(METRICS_PORT)
    (container,) = made["spec"]["containers"]
    assert [p["containerPort"] for p in container["ports"]] == [SERVER_PORT, WEB_PORT, METRICS_PORT]
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["grpc"]["port"] == SERVER_PORT
    service_ports = {name: [p["port"] for p in o["spec"]["ports"]] for name, o in objects("Service").items()}
    assert service_ports == {"saloon": [SERVER_PORT, WEB_PORT], "saloon-grpc": [PROXY_PORT]}
    known = {50050, 50051, 50052, 50053, 8080, 8081, 8082}
    for name, own in (("nginx/nginx.conf", {50080}), ("haproxy/haproxy.cfg", set[int]())):
        text = (DEPLOY / name).read_text("utf-8")
        assert {int(p) for p in re.findall(r"\b(?:500|80)\d\d\b", text)} - {8000} == known | own


def take_away_refusals(config: Any) -> None:
    """Of Envoy's routes those that refuse what no client sends."""
    manager = config["static_resources"]["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"]
    (host,) = manager["route_config"]["virtual_hosts"]
    host["routes"] = [route for route in host["routes"] if "direct_response" not in route]


def clusters(config: Any) -> dict[str, tuple[Any, Any]]:
    """Envoy's clusters: where each finds its servers and asks for their health, and all else of it."""
    found = {}
    for cluster in config["static_resources"].pop("clusters"):
        assignment = cluster.pop("load_assignment")
        name = cluster.pop("name")
        assert assignment["cluster_name"] == name
        endpoints = [e["endpoint"] for e in assignment["endpoints"][0]["lb_endpoints"]]
        addresses = [each["address"]["socket_address"] for each in endpoints]
        asked = [each.get("health_check_config", each["address"]["socket_address"])["port_value"] for each in endpoints]
        places = [(a["address"], a["port_value"], health) for a, health in zip(addresses, asked, strict=True)]
        found[name] = (places, cluster)
    return found


PLACES = {"saloon": SERVER_PORT, "saloon-seats": SERVER_PORT, "saloon-http": WEB_PORT, "saloon-http-seats": WEB_PORT}


def test_envoys_differ_only_where_the_servers_are() -> None:
    """The configuration that is tested under load is the one that compose and Kubernetes use."""
    known, other, third = (
        documents(path)[0]
        for path in (DEPLOY / "envoy" / "envoy.yaml", DEPLOY / "envoy" / "compose.yaml", KUBERNETES / "envoy.yaml")
    )
    for config in (known, other, third):
        take_away_refusals(config)
    plain, composed, in_kubernetes = clusters(known), clusters(other), clusters(third)
    for name, port in PLACES.items():
        # Health is asked for at the port that has it, whichever port is called.
        assert plain[name][0] == [("127.0.0.1", port + n, SERVER_PORT + n) for n in range(3)]
        assert composed[name] == ([("server", port, SERVER_PORT)], plain[name][1])
        assert in_kubernetes[name] == ([("saloon", port, SERVER_PORT)], plain[name][1])
    assert set(plain) == set(composed) == set(in_kubernetes) == set(PLACES)
    assert other == third == known


def test_there_is_time_to_stop() -> None:
    """Whoever kills waits longer than notice and drain together."""

    def needed(where: str) -> float:
        return settings(where).notice_seconds + settings(where).drain_seconds

    assert needed("image") < 10  # what `docker stop` waits
    assert needed("compose") < int(compose()["server"]["stop_grace_period"].removesuffix("s"))
    assert needed("kubernetes") + 5 < pods()["saloon"]["terminationGracePeriodSeconds"]
    envoy = pods()["saloon-envoy"]
    assert (
        int(envoy["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1])
        < envoy["terminationGracePeriodSeconds"]
    )
    ready = pods()["saloon"]["containers"][0]["readinessProbe"]
    assert settings("kubernetes").notice_seconds > ready["periodSeconds"] * ready["failureThreshold"]


def test_pods_are_confined() -> None:
    for name, pod in pods().items():
        (container,) = pod["containers"]
        assert pod["securityContext"]["runAsNonRoot"], name
        assert pod["securityContext"]["runAsUser"], name
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert "cpu" not in container["resources"]["limits"]
        if name != "saloon-envoy":
            # A Service named saloon would otherwise make SALOON_PORT=tcp://...
            assert pod["enableServiceLinks"] is False
            user, _ = said("USER").split(":")
            assert pod["securityContext"]["runAsUser"] == int(user) > 0
            cores = int(container["resources"]["requests"]["cpu"])
            assert settings("kubernetes").slots == cores - 1
    metrics = {m["pods"]["metric"]["name"]: m for m in objects("HorizontalPodAutoscaler")["saloon"]["spec"]["metrics"]}
    busy = float(metrics["saloon_searches"]["pods"]["target"]["averageValue"])
    assert 0 < busy < settings("kubernetes").slots


def test_servers_of_compose_share_a_file() -> None:
    """They are on one machine."""
    assert compose()["server"]["volumes"][0] == f"tables:{Path(str(settings('compose').database)).parent}"
    assert said("VOLUME") == str(Path(str(settings("image").database)).parent)


def test_mounted_files_exist() -> None:
    for name, service in compose().items():
        for source in (volume.split(":")[0] for volume in service["volumes"] if isinstance(volume, str)):
            assert not source.startswith(".") or (DEPLOY / source).is_file(), (name, source)
    (kustomization,) = documents(KUBERNETES / "kustomization.yaml")
    for resource in kustomization["resources"]:
        assert (KUBERNETES / resource).is_file()


# ---- What is run


def test_the_image_s_command_serves_is_healthy_and_ends_on_sigterm(tmp_path: Path) -> None:
    entry, arguments = command(said("ENTRYPOINT")), command(said("CMD"))
    assert entry == ["saloon"]
    health = command(said("HEALTHCHECK").partition("CMD ")[2])
    with container("image", tmp_path, saloon(arguments)) as server:
        env = environment("image", tmp_path, server.port)
        done = subprocess.run(saloon(health[1:]), env=env, capture_output=True, text=True, timeout=30, check=False)
        assert (done.returncode, done.stdout.strip()) == (0, "SERVING")
        begun = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begun < 9
    done = subprocess.run(saloon(health[1:]), env=env, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1


def test_the_image_refuses_to_speak_plainly_to_the_world(tmp_path: Path) -> None:
    env = environment("image", tmp_path, free_port())
    del env["SALOON_INSECURE"]
    done = subprocess.run(
        saloon(command(said("CMD"))), env=env, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 2
    assert "is not loopback" in done.stderr


def test_commands_of_pods_and_services_serve(tmp_path: Path) -> None:
    """What Kubernetes runs; compose runs the image's own command."""
    assert "command" not in compose()["server"]
    words = pods()["saloon"]["containers"][0]["args"]
    with (
        container("kubernetes", tmp_path, saloon(words)) as server,
        with_token(server.address, token_of(tmp_path)) as channel,
    ):
        assert Stubs(channel).bots.ListBots(bots_pb2.ListBotsRequest()).levels


# ---- What others' tools say, where they are


def tool(name: str, how: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name}: {how}")
    return found


def test_kustomize_puts_it_together() -> None:
    kubectl = tool("kubectl", "https://kubernetes.io/docs/tasks/tools/")
    done = subprocess.run(
        [kubectl, "kustomize", str(KUBERNETES)], capture_output=True, text=True, timeout=60, check=True
    )
    made = list(yaml.safe_load_all(done.stdout))
    maps = {o["metadata"]["name"]: o["data"] for o in made if o["kind"] == "ConfigMap"}
    (chosen,) = [data for name, data in maps.items() if name.startswith("saloon-settings-")]
    assert chosen == settings_file()
    # Once where it is made, and at least once where it is used.
    assert all(done.stdout.count(name) > 1 for name in maps)


def test_prometheus_takes_its_files_and_answers_the_dashboard(tmp_path: Path) -> None:
    """Every panel's question is understood and has an answer once the server had something to do."""
    prometheus, promtool = (tool(name, "apt-get install prometheus") for name in ("prometheus", "promtool"))
    for name in ("prometheus.yaml", "alerts.yaml"):
        shutil.copy(DEPLOY / name, tmp_path)
    subprocess.run([promtool, "check", "config", str(tmp_path / "prometheus.yaml")], check=True, capture_output=True)
    metrics, listen = free_port(), free_port()
    (config,) = documents(DEPLOY / "prometheus.yaml")
    config["global"]["scrape_interval"] = "1s"
    config["scrape_configs"][0] = {"job_name": "saloon", "static_configs": [{"targets": [f"127.0.0.1:{metrics}"]}]}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    words = [prometheus, f"--config.file={tmp_path}/own.yaml", f"--storage.tsdb.path={tmp_path}/data"]
    words += [f"--web.listen-address=127.0.0.1:{listen}", "--log.level=error"]
    with container("compose", tmp_path, saloon(command(said("CMD"))), metrics) as server:
        child = subprocess.Popen(words)
        try:
            with with_token(server.address, token_of(tmp_path)) as channel:
                asked = expressions()
                until = time.monotonic() + 30
                while asked:
                    assert time.monotonic() < until, asked
                    stubs = Stubs(channel)
                    situation = of(stubs.new_game())
                    for budget in (iterations(50), milliseconds(20)):
                        stubs.bots.Suggest(bots_pb2.SuggestRequest(situation=situation, budget=budget))
                    with pytest.raises(grpc.RpcError):
                        stubs.bots.Suggest(bots_pb2.SuggestRequest())
                    time.sleep(0.5)
                    asked = [text for text in asked if not answered(listen, text)]
        finally:
            child.kill()
            child.wait(10)


def answered(port: int, text: str) -> bool:
    """Whether Prometheus has values for this; an error if it is none of its language."""
    try:
        url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": text})
        with urllib.request.urlopen(url, timeout=10) as response:
            return bool(json.load(response)["data"]["result"])
    except urllib.error.HTTPError as error:
        with error:
            if error.code != 503:  # it has only just begun
                pytest.fail(error.read().decode())
    except (urllib.error.URLError, ConnectionError):
        pass
    return False


@pytest.mark.skipif(
    float(os.environ.get("SALOON_TEST_SCALE", "1")) <= 1, reason="compiles everything: SALOON_TEST_SCALE=10"
)
def test_the_image_s_wheels_build_and_run(tmp_path: Path) -> None:
    """The pip commands of the build stage, on what .dockerignore lets through, and the command with what they made."""
    source = tmp_path / "src"
    copy_context(source)
    folders = {
        "/src": source,
        "/build": tmp_path / "build",
        "/wheels": tmp_path / "wheels",
        "/opt/saloon": tmp_path / "opt",
    }
    env = {name: value for name, value in os.environ.items() if not name.startswith("SALOON_")}
    for word, rest in stages()[0]:
        if word == "RUN" and "apt-get" not in rest:
            text = re.sub(r"(?<![\w.])(/opt/saloon|/build|/wheels|/src)\b", lambda m: str(folders[m[1]]), rest)
            text = re.sub(r"\bpython -m venv", f"{sys.executable} -m venv", text)
            subprocess.run(text, shell=True, cwd=source, env=env, check=True, timeout=1800)
    assert len(list(folders["/wheels"].glob("*.whl"))) == 2
    binary = folders["/opt/saloon"] / "bin" / "saloon"
    with (
        container("image", tmp_path, [str(binary), *command(said("CMD"))]) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        stubs = Stubs(channel)
        request = bots_pb2.SuggestRequest(situation=of(stubs.new_game()), budget=iterations(50))
        assert stubs.bots.Suggest(request).answer.iterations == 50


def test_the_image_gets_the_sources_and_nothing_that_was_made(tmp_path: Path) -> None:
    copy_context(tmp_path)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["setuptools"]["packages"]["find"]["include"]
    for init in (init for top in included for init in (ROOT / top).rglob("__init__.py")):
        folder = init.parent.relative_to(ROOT)
        sent = {path.name for path in (tmp_path / folder).iterdir() if path.is_file()}
        there = {path.name for path in (ROOT / folder).iterdir() if path.is_file()}
        assert sent == {name for name in there if not name.endswith((".so", ".c"))}
    assert not any(path.suffix in (".so", ".c", ".pyc") for path in tmp_path.rglob("*"))
    assert {"tests", "docs", ".git", ".venv"}.isdisjoint(path.name for path in tmp_path.iterdir())


def copy_context(target: Path) -> None:
    """As Docker would send it: .dockerignore leaves out all but what it names, and some of that."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and line[0] != "#"]
    assert patterns[0] == "*"
    unwanted = [pattern.removeprefix("**/") for pattern in patterns[1:] if pattern[0] != "!"]

    def left_out(folder: str, found: list[str]) -> set[str]:
        inside = Path(folder).relative_to(ROOT)
        return {n for n in found if any(fnmatch(n, p) or fnmatch(str(inside / n), p) for p in unwanted)}

    for name in (pattern[1:] for pattern in patterns if pattern[0] == "!"):
        path = ROOT / name
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, target / name, ignore=left_out)
        else:
            shutil.copy(path, target / name)
