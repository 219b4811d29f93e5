"""External APIs: compares the speed of lists and quotes with and without a connector that takes two seconds
for each call."""

import contextlib
import json
import os
import statistics
import threading
import time
from http.server import BaseHTTPRequestHandler

from https_server import HttpsServer
from prices import Trader

# Seconds that the other system takes for a call.
DELAY = 2
# Number of clients that request live quantities all the time.
ASKING = 32
ARTICLES = 200
LINES = 20
ROUNDS = 5


class SlowSystem:
    """Another system over HTTPS that answers each call with a delay."""

    def __init__(self, folder):
        self.folder, self.calls, self.lock = folder, 0, threading.Lock()

    def __enter__(self):
        os.makedirs(self.folder)
        system = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                with system.lock:
                    system.calls += 1
                time.sleep(DELAY)
                body = json.dumps({"free": "12.5"}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = HttpsServer(self.folder, Handler)
        return self

    def __exit__(self, *_):
        self.server.stop()

    def settings(self):
        return {
            "base_url": self.server.url(), "authentication": "none", "ca_certificate": self.server.authority,
            "timeout_ms": 5_000, "cache_seconds": 0, "active": True,
            "availability": {"method": "GET", "path": "stock/{article_number}", "lines_max": 1, "quantity": "/free"},
        }  # fmt: skip


class Seller(Trader):
    """A tenant with stocks counted here, and as many whose quantity only the other system has."""

    def __init__(self, server):
        super().__init__(server, "LIVE")
        articles = [number for _, number in server.database.ask(f"SELECT id, article_number FROM article ORDER BY id LIMIT {ARTICLES}")]
        price = {"price": "800", "price_quantity": "1", "unit": "t"}
        self.external = []
        for number in articles:
            base = {"article_number": number, "warehouse_short_code": "L0"}
            self.call("POST", "/api/admin/stocks", {**base, "availability_type": "quantity", "quantity": "100"})
            remote = {**base, "length": 1, "availability_type": "external-api"}
            self.external.append(self.call("POST", "/api/admin/stocks", remote)["id"])
        items = [{"article_number": number, "warehouse_short_code": "L0", "external_price": price} for number in articles]
        self.call("PUT", "/api/v1/prices", {"items": items})
        lines = [{"article_number": number, "quantity": "1", "unit": "t"} for number in articles[:LINES]]
        self.question = {"carts": [{"lines": lines}]}

    def call(self, method, path, body=None):
        return self.server.call(method, f"{path}?tenant_id={self.id}", body)

    def connect(self, system):
        """Connects the other system and requests all stocks once. Returns the id of the external API."""
        api = self.call("POST", "/api/admin/external-apis", system.settings())["id"]
        self.server.load(self.live_questions(), DELAY * len(self.external) / ASKING, ASKING)
        stocks = self.call("GET", "/api/admin/stocks")["data"]
        if not any(stock["last_known"] for stock in stocks):
            raise RuntimeError("no stock has a quantity of the other system")
        return api

    def live_questions(self):
        return [f"GET /api/admin/stocks/{id}/live?tenant_id={self.id}" for id in self.external]


def measure(bench, without, with_connector, system):
    """Measures lists and quotes alternately on a server without a connector and on one with continuous calls
    to the slow system. Both have the same quantities of it."""
    sellers = {server: Seller(server) for server in (without, with_connector)}
    for server, of in sellers.items():
        api = of.connect(system)
        if server is without:
            of.call("DELETE", f"/api/admin/external-apis/{api}")
    seller = sellers[with_connector]
    points = {
        "list of stocks": lambda seller: f"GET /api/admin/stocks?tenant_id={seller.id}",
        "quote of 20 lines": lambda seller: f"POST /api/admin/quotes?tenant_id={seller.id} {json.dumps(seller.question)}",
    }
    for server, of in sellers.items():
        lines = of.call("POST", "/api/admin/quotes", of.question)["data"][0]["lines"]
        if any(line["errors"] for line in lines):
            bench.report.fail(server, f"the quote has no price: {lines[:1]}")
    asked = os.path.join(with_connector.database.folder, "live")
    with open(asked, "w", encoding="utf-8") as file:
        file.write("\n".join(seller.live_questions()))
    seconds = len(points) * ROUNDS * 2 * (bench.options.seconds + bench.options.warm) + 10
    asking = with_connector.start_load(asked, seconds, ASKING)
    time.sleep(2 * DELAY)
    before = system.calls
    for point, request in points.items():
        rates = {server: [] for server in sellers}
        for _ in range(ROUNDS):
            for server, of in sellers.items():
                server.load([request(of)], bench.options.warm, 8)
                found = server.load([request(of)], bench.options.seconds, 8)
                bench.unexpected(server, point, found, "2")
                rates[server].append(found["per_second"])
        middle = {server: statistics.median(measured) for server, measured in rates.items()}
        for server, label in ((without, "without a connector"), (with_connector, f"beside one of {DELAY} s")):
            bench.add(server, "connectors", f"{point} {label}", middle[server])
        bench.add(with_connector, "connectors", f"{point}: kept beside a connector", middle[with_connector] / middle[without] * 100, "%")
    calls = system.calls - before
    asking.terminate()
    asking.wait()
    if calls < ASKING:
        bench.report.fail(with_connector, f"the slow system was asked {calls} times only")
    bench.add(with_connector, "connectors", "connectors: calls to the slow system meanwhile", calls, "")
