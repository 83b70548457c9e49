"""A page of another origin, in a real browser: it asks for a move, and reads a stream."""

import json
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from saloon.ports import free_port
from tests.service.running import serving

_SECONDS = 60  # a browser takes one or two to start
_PAGE = """<!doctype html><meta charset="utf-8"><script type="module">
const service = "http://127.0.0.1:%d/saloon.v1.Bots/";
const asked = {situation: {record: {options: {moonRiver: {players: 3}}, seed: "5"}}, budget: {iterations: "2000"}};

async function suggest() {
  const answer = await fetch(service + "Suggest", {
    method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(asked)});
  return await answer.json();
}

async function analyze() {
  const text = new TextEncoder().encode(JSON.stringify(asked));
  const body = new Uint8Array(5 + text.length);
  new DataView(body.buffer).setUint32(1, text.length);
  body.set(text, 5);
  const answer = await fetch(service + "Analyze", {
    method: "POST", headers: {"content-type": "application/connect+json"}, body});
  const found = [];
  let have = new Uint8Array();
  for (const reader = answer.body.getReader();;) {
    const {done, value} = await reader.read();
    if (done) return found;
    have = new Uint8Array([...have, ...value]);
    for (let size; have.length >= 5 && have.length >= 5 + (size = new DataView(have.buffer).getUint32(1));) {
      found.push([have[0], JSON.parse(new TextDecoder().decode(have.slice(5, 5 + size)))]);
      have = have.slice(5 + size);
    }
  }
}

const said = {};
try {
  said.suggest = await suggest();
  said.analyze = await analyze();
} catch (error) {
  said.error = String(error);
}
await fetch("/said", {method: "POST", body: JSON.stringify(said)});
</script>"""


@contextmanager
def pages(page: str, said: "queue.Queue[Any]") -> Iterator[int]:
    """A site with one page; what the page says goes into the queue."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(page.encode())

        def do_POST(self) -> None:
            said.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self._answer(b"")

        def _answer(self, data: bytes) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Nobody wants to know."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        try:
            yield site.server_address[1]
        finally:
            site.shutdown()
            thread.join(10)


def test_a_page_asks_for_a_move_and_reads_a_stream(tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("needs chromium: apt-get install chromium")
    said = queue.Queue[Any]()
    with serving(tmp_path, http_port=free_port()) as service, pages(_PAGE % service.web.port, said) as port:
        flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
        command = [browser, *flags, f"--user-data-dir={tmp_path / 'profile'}", "--remote-debugging-port=0"]
        child = subprocess.Popen(
            [*command, f"http://localhost:{port}/"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            found = said.get(timeout=_SECONDS)
        finally:
            child.kill()
            child.wait(10)
    assert "error" not in found, found
    assert found["suggest"]["answer"]["choice"]
    *answers, (flags_of_last, end) = found["analyze"]
    assert answers[-1][1]["final"]
    assert (flags_of_last, end) == (2, {})
