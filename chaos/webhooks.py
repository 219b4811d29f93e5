"""Attacks on servers that deliver the events of many webhooks: each must arrive at least once, and those of a
record in order."""

import contextlib
import itertools
import json
import os
import time
from http.server import BaseHTTPRequestHandler

from feeds import server_beside
from harness import Client
from https_server import HttpsServer
from sftp_server import SETTINGS
from stocks import places
from trial import Run

# Maximum number of stock changes in one check that become an event each.
STOCKS = 50
# Number of webhooks; how often all stocks are changed before the first delivery (5,000 events); and then
# between kills.
WEBHOOKS, ROUNDS, ROUNDS_BETWEEN = 20, 5, 4
WEBHOOKS_IN_CI, ROUNDS_IN_CI, ROUNDS_BETWEEN_IN_CI = 5, 2, 1
KILLS, KILLS_IN_CI = 30, 5
PATIENCE = 600


class Receiver:
    """An HTTPS server for all webhooks. It refuses everything until it is open, and records what it has
    accepted."""

    def __init__(self, folder):
        os.mkdir(folder)
        self.is_open, self.accepted, self.connections = False, [], 0
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self):
                super().setup()
                receiver.connections += 1

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if receiver.is_open:
                    receiver.accepted.append((int(self.path.strip("/")), json.loads(body)))
                self.send_response(204 if receiver.is_open else 503)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HttpsServer(folder, Handler)


class Sender:
    """A tenant with stocks, and webhooks for their changes."""

    def __init__(self, run, receiver, webhooks):
        self.run, self.quantities = run, itertools.count(1)
        self.places = list(itertools.islice(places(self.client(), run.tenant), STOCKS))
        self.changed_at, self.ids = {}, {}
        self.change(self.places)
        self.changed_at = {}
        self.webhooks = [self.add_webhook(receiver, number) for number in range(webhooks)]

    def client(self):
        return Client(self.run.server, self.run.token)

    def call(self, method, path, body=None):
        answer = self.client().call(method, f"{path}{'&' if '?' in path else '?'}tenant_id={self.run.tenant}", body)
        assert answer.status in (200, 201), (answer.status, answer.body)
        return answer.json()

    def add_webhook(self, receiver, number):
        settings = {"url": receiver.server.url(f"/{number}"), "events": ["stock.changed"], "ca_certificate": receiver.server.authority}
        return self.call("POST", "/api/admin/webhooks", settings)["webhook"]["id"]

    def change(self, places_):
        """Changes the quantities of stocks in one call, and records the time."""
        quantity, at = str(next(self.quantities)), time.time()
        items = [
            {"article_number": article, "warehouse_short_code": code, "length": str(length), "quantity": quantity}
            for article, code, length in places_
        ]
        results = self.call("PUT", "/api/v1/stocks", {"items": items})["data"]
        self.run.expect(all(result["result"] in ("created", "updated") for result in results), f"{results[:3]}")
        for place, result in zip(places_, results, strict=True):
            self.ids[place] = result["id"]
            self.changed_at[place] = at

    def pending(self):
        """Number of events that are not delivered yet."""
        return sum(row["state"]["pending"] for row in self.call("GET", "/api/admin/webhooks?page[size]=200")["data"])

    def gather(self, rounds):
        """Changes all stocks repeatedly, until as many events of each are pending."""
        for round_ in range(1, rounds + 1):
            self.change(self.places)
            began = time.monotonic()
            while (pending := self.pending()) < round_ * STOCKS * len(self.webhooks):
                assert time.monotonic() - began < 60, f"{pending} events after round {round_}"
                time.sleep(0.3)
        return pending

    def resume(self):
        """Restarts the attempts that have failed so far."""
        for action, webhook in itertools.product(("pause", "resume"), self.webhooks):
            self.call("POST", f"/api/admin/webhooks/{webhook}/{action}", {})


def webhooks_killed(suite, database, seed):
    """Kills servers at random while thousands of events are pending and more arrive."""
    run = Run(suite, database, seed, "webhooks-killed", settings=SETTINGS)
    webhooks, rounds, rounds_between, kills_wanted = (
        (WEBHOOKS_IN_CI, ROUNDS_IN_CI, ROUNDS_BETWEEN_IN_CI, KILLS_IN_CI) if suite.short else (WEBHOOKS, ROUNDS, ROUNDS_BETWEEN, KILLS)
    )
    with contextlib.closing(run), contextlib.ExitStack() as stack:
        run.begin()
        servers = [run.server]
        receiver = Receiver(f"{run.data}-receiver")
        stack.callback(receiver.server.stop)
        if database.name == "PostgreSQL":
            servers.append(server_beside(run, has_own_lock=suite.short))
            stack.enter_context(servers[1])
        sender = Sender(run, receiver, webhooks)
        gathered = sender.gather(rounds)

        receiver.is_open = True
        sender.resume()
        began, kills, changes, quiet_since = time.monotonic(), 0, 0, None
        # two checks after the last change have found everything
        while (quiet_since is None or time.monotonic() - quiet_since < 15) and time.monotonic() - began < PATIENCE:
            if kills < kills_wanted:
                time.sleep(run.random.uniform(0.1, 0.4 if suite.short else 1.5))
                victim = run.random.choice(servers)
                victim.kill()
                # the other one works alone for a while
                time.sleep(run.random.uniform(0, 0.3))
                victim.start()
                kills += 1
                if changes < rounds_between and run.random.random() < 0.5:
                    sender.change(run.random.sample(sender.places, STOCKS // 2))
                    changes += 1
            else:
                time.sleep(0.3)
            if sender.pending() or kills < kills_wanted:
                quiet_since = None
            elif quiet_since is None:
                quiet_since = time.monotonic()
        took = (quiet_since or time.monotonic()) - began
        accepted = receiver.accepted.copy()
        repeated = len(accepted) - len({event["id"] for _, event in accepted})
        run.saw.append(
            f"{gathered} pending events of {webhooks} webhooks, {len(accepted)} accepted in {took:.1f} s over "
            f"{receiver.connections} connections with {kills} kills, {repeated} of them again"
        )
        run.expect(quiet_since, f"after {took:.0f} s {sender.pending()} events are pending")
        for server in servers:
            run.expect(server.end() == 0, "a server did not end well")
        check_deliveries(run, database, sender, accepted)
    return run


def check_deliveries(run, database, sender, accepted):
    """Checks that the receiver has each event of the database, those of a record in order, and one for each
    change."""
    sql = "SELECT webhook_id, message_id, subject, status FROM webhook_delivery ORDER BY id"
    rows = [line.split("\t") for line in database.ask(run.data, run.url, sql)]
    others = [row for row in rows if row[3] != "delivered"]
    run.expect(not others, f"{len(others)} events are not delivered: {others[:2]}")
    came = {event["id"] for _, event in accepted}
    lost = [row for row in rows if row[1] not in came]
    run.expect(not lost, f"{len(lost)} of {len(rows)} events are lost: {lost[:2]}")
    unknown = came - {row[1] for row in rows}
    run.expect(not unknown, f"{len(unknown)} events that were not caused: {sorted(unknown)[:2]}")
    place_of = {row[1]: place for place, row in enumerate(rows)}
    latest = {}
    for webhook, event in accepted:
        place, subject = place_of.get(event["id"], -1), (webhook, event["subject"])
        before = latest.get(subject, (-1, ""))
        run.expect(place >= before[0], f"{subject}: {event['id']} came after {before[1]}")
        latest[subject] = max(before, (place, event["id"]))
    last_event = {(webhook, event["subject"]): event["timestamp"] for webhook, event in accepted}
    for webhook, (place, at) in itertools.product(range(len(sender.webhooks)), sender.changed_at.items()):
        changed = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))
        event = last_event.get((webhook, f"stocks/{sender.ids[place]}"), "")
        run.expect(event >= changed, f"webhook {webhook} missed that {place} has changed at {changed}: {event}")
