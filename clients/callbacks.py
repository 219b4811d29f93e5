"""Tests the receivers of docs/integrators.md with real events, and the external API that it shows.

    callbacks.py docs/integrators.md FOLDER      FOLDER has python/receiver.py and typescript/receiver.js

One server with a certificate is a proxy in front of all of them. It records the requests, so that they can be
sent to the receivers again with one byte changed."""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "scripts"))
from https_server import HttpsServer  # noqa: E402
URL = os.environ["STALHOF_URL"]
ARTICLE, WAREHOUSE = "HEB-360-S235JR-12.1", "DU"
EVENTS = ["import.finished", "prices.held", "stock.changed", "price.changed"]
PATIENCE = 60


def call(method: str, path: str, body: object = None, content_type: str = "application/json") -> dict:
    """Calls the server as the administrator of the demo, in a session."""
    headers = {"content-type": content_type} | ({"authorization": f"Bearer {session}"} if session else {})
    content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, content, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or "null")
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path} is answered {error.code}: {error.read().decode()}")


def wait_for(what: str, holds: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > until:
            sys.exit(f"{what} has not come about within {PATIENCE} s")
        time.sleep(0.2)


@dataclass
class Received:
    """A request of a webhook."""

    receiver: str
    headers: dict[str, str]
    body: bytes
    status: int

    def header(self, name: str) -> str:
        return next(value for known, value in self.headers.items() if known.lower() == name)


class Receiver:
    """A receiver of the page, run as a process."""

    def __init__(self, name: str, command: list[str]):
        self.name, self.command = name, command
        self.port = int(subprocess.check_output([ROOT / "scripts/free-port"], text=True))
        self.process: subprocess.Popen[str] | None = None

    def start(self, secret: str) -> None:
        self.stop()
        environment = os.environ | {"WEBHOOK_SECRET": secret, "PORT": str(self.port)}
        log = open(Path(folder, f"{self.name}.log"), "a", encoding="utf-8")
        self.process = subprocess.Popen(self.command, env=environment, stdout=log, stderr=log, text=True)
        wait_for(f"the receiver in {self.name}", self.listens)

    def listens(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.connect()
            return True
        except OSError:
            return False
        finally:
            connection.close()

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def post(self, headers: dict[str, str], body: bytes) -> int:
        """Sends a request; returns the status of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("POST", f"/{self.name}", body, headers)
            return connection.getresponse().status
        finally:
            connection.close()

    def printed(self) -> list[str]:
        return Path(folder, f"{self.name}.log").read_text(encoding="utf-8").splitlines()


class Proxy(BaseHTTPRequestHandler):
    """Passes requests on to the receiver named by the path; below /erp it answers as the external API of the
    page."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        name = self.path.strip("/")
        if name in receivers:
            headers = {key: value for key, value in self.headers.items() if key.lower() not in ("host", "content-length")}
            status = receivers[name].post(headers, body)
            received.append(Received(name, headers, body, status))
            answer = b""
        else:
            questions.append((self.path, json.loads(body)))
            status, answer = 200, json.dumps(erp_answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


def cause_events() -> None:
    """Changes a stock and its price, sets a price ten times as high, and imports a file."""
    place = {"article_number": ARTICLE, "warehouse_short_code": "HH", "length": "4000"}
    stock = call("PUT", f"/api/v1/stocks?{tenant}", {"items": [place | {"quantity": "9"}]})
    assert stock["data"][0]["result"] == "created", stock
    # two simultaneous changes would become one event
    wait_for("the event of the stock", lambda: came("stock.changed"))
    for amount, result in (("90", "updated"), ("900", "held")):
        price = {"price": amount, "price_quantity": "100", "unit": "kg"}
        priced = call("PUT", f"/api/v1/prices?{tenant}", {"items": [place | {"external_price": price}]})
        assert priced["data"][0]["result"] == result, priced
    table = f"Artikelnummer;Lager;Länge [mm];Menge\r\n{ARTICLE};HH;4000;8\r\n"
    part = 'Content-Disposition: form-data; name="'
    body = f'--x\r\n{part}type"\r\n\r\nStock\r\n--x\r\n{part}file"; filename="Bestand.csv"\r\n\r\n{table}\r\n--x--\r\n'
    call("POST", f"/api/admin/imports?{tenant}", body.encode(), "multipart/form-data; boundary=x")


def came(event: str) -> bool:
    """True if each receiver has accepted an event of this type."""
    accepted = [one for one in received if one.status == 204 and json.loads(one.body)["type"] == event]
    return {one.receiver for one in accepted} == set(receivers)


def check_refusals(requests: list[Received]) -> None:
    """Checks that requests are accepted unchanged, and refused with any one byte changed."""
    for one in requests:
        receiver = receivers[one.receiver]
        assert receiver.post(one.headers, one.body) == 204, f"{one.receiver} refuses what it has accepted"
        for index in (1, len(one.body) // 2, len(one.body) - 2):
            body = bytearray(one.body)
            body[index] ^= 1
            assert receiver.post(one.headers, bytes(body)) == 400, f"{one.receiver} accepts a changed byte {index}"
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            changed = " ".join(map(with_other_character, one.header(name).split(" ")))
            headers = {key: changed if key.lower() == name else was for key, was in one.headers.items()}
            assert receiver.post(headers, one.body) == 400, f"{one.receiver} accepts a changed {name}"


def with_other_character(text: str) -> str:
    return text[:-3] + ("1" if text[-3] != "1" else "2") + text[-2:]


def rotate(overlap_hours: int) -> dict[str, str]:
    """Replaces the secrets and sends a test event with them. Returns the new secrets."""
    secrets = {}
    for name, webhook in webhooks.items():
        path = f"/api/admin/webhooks/{webhook}"
        secrets[name] = call("POST", f"{path}/rotate-secret?{tenant}", {"overlap_hours": overlap_hours})["secret"]
        call("POST", f"{path}/test?{tenant}", {})
    return secrets


def check_rotation() -> None:
    """Checks that receivers accept both secrets during the overlap, and only the new one without it."""
    before = len(received)
    secrets = rotate(overlap_hours=1)
    wait_for("the events of the overlap", lambda: len(received) >= before + len(receivers))
    overlap = received[before:]
    assert all(one.status == 204 for one in overlap), "the former secret does not verify during the overlap"
    for name, receiver in receivers.items():
        receiver.start(secrets[name])
    check_refusals(overlap)
    before = len(received)
    rotate(overlap_hours=0)
    wait_for("the events without overlap", lambda: len(received) >= before + len(receivers))
    assert all(one.status == 400 for one in received[before:]), "the former secret verifies without an overlap"


def check_live_stock(page: str) -> None:
    """Checks that the external API of the page receives the documented request and answers for a stock."""
    example = re.search(r"^```http\n(\S+) (\S+) HTTP/1.1\n.*?\n\n(.*?)\n\nHTTP/1.1 200 OK\n.*?\n\n(.*?)\n```$", page, re.M | re.S)
    assert example, "the page shows no external API"
    erp_answer.update(json.loads(example[4]))
    template = '{"items": [{"sku": "{article_number}", "site": "{warehouse}"}]}'
    endpoint = {
        "method": "POST", "path": "stock", "body": template, "lines_max": 50, "list": "/items",
        "article_number": "/sku", "warehouse": "/site", "quantity": "/free", "unit": "/unit",
    }  # fmt: skip
    settings = {"base_url": server.url("/erp"), "authentication": "none", "active": True, "ca_certificate": server.authority}
    call("POST", f"/api/admin/external-apis?{tenant}", settings | {"availability": endpoint})
    stock = {"article_number": ARTICLE, "warehouse_short_code": WAREHOUSE, "availability_type": "external-api"}
    call("POST", f"/api/admin/stocks?{tenant}", stock)
    item = {"article_number": ARTICLE, "warehouse_short_code": WAREHOUSE, "quantity": "10"}
    answer = call("POST", f"/api/v1/availability?{tenant}", {"items": [item]})["data"][0]
    free = erp_answer["items"][0]["free"]
    assert (answer["answered_by"], answer["available"], answer["quantity"]) == ("live", "yes", free), answer
    assert questions == [(example[2], json.loads(example[3]))], f"it was asked {questions}"


page, work = Path(sys.argv[1]).read_text(encoding="utf-8"), Path(sys.argv[2])
session = ""
received: list[Received] = []
questions: list[tuple[str, object]] = []
erp_answer: dict = {}
with tempfile.TemporaryDirectory() as folder:
    commands = {"python": [sys.executable, str(work / "python/receiver.py")], "typescript": ["node", str(work / "typescript/receiver.js")]}
    receivers = {name: Receiver(name, command) for name, command in commands.items()}
    try:
        server = HttpsServer(folder, Proxy)
        credentials = {"email": "admin@stalhof.example", "password": "profil-traeger-walzwerk"}
        session = call("POST", "/api/sessions", credentials)["session"]["token"]
        tenant = f"tenant_id={call('GET', '/api/admin/tenants?page%5Bsize%5D=1')['data'][0]['id']}"
        webhooks = {}
        for name, receiver in receivers.items():
            settings = {"url": server.url(f"/{quote(name)}"), "events": EVENTS, "ca_certificate": server.authority}
            created = call("POST", f"/api/admin/webhooks?{tenant}", settings)
            webhooks[name] = created["webhook"]["id"]
            receiver.start(created["secret"])
        cause_events()
        for event in EVENTS:
            wait_for(f"the event {event}", lambda event=event: came(event))
        for name, receiver in receivers.items():
            verified = {line.split()[1] for line in receiver.printed() if line.startswith("msg_")}
            assert verified >= set(EVENTS), f"the receiver in {name} has printed {receiver.printed()}"
        check_refusals(received.copy())
        check_rotation()
        check_live_stock(page)
        for webhook in webhooks.values():
            call("DELETE", f"/api/admin/webhooks/{webhook}?{tenant}")
    finally:
        for receiver in receivers.values():
            receiver.stop()
print(f"Both receivers have verified {len(received)} requests of webhooks, and the external API has answered.")
