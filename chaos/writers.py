"""Eight concurrent writers of the same stocks, fields and orders: none without a version may fail, and
nothing may be lost or duplicated."""

import contextlib
import itertools
import threading
import time

from harness import Client, every
from stocks import STOCKS, file, finished, places
from trial import Run

# Rows of an import, items of a call, and number of writes of each writer; in CI.
SIZES, SIZES_IN_CI = (5_000, 1_000, 8), (600, 200, 2)


class Writers:
    """Concurrent work of eight clients, and its answers."""

    def __init__(self, run, rows, items, rounds):
        self.run, self.rounds, self.rows, self.items = run, rounds, rows, items
        client = Client(run.server, run.token)
        self.places = list(itertools.islice(places(client, run.tenant), rows))
        self.others = self.tenant(client)
        self.their_places = list(itertools.islice(places(client, self.others), items))
        self.material = client.call("POST", "/api/admin/materials", {"name": f"W-{run.seed}"}).json()["id"]
        self.lock, self.written, self.fields, self.imports, self.won = threading.Lock(), 0, {}, [], []
        self.stocks, self.over = {}, threading.Event()
        self.barrier = threading.Barrier(2)

    def tenant(self, client):
        """Creates a tenant with a warehouse and nothing else."""
        permissions = client.call("GET", f"/api/admin/tenants/{self.run.tenant}").json()["permissions"]
        made = client.call("POST", "/api/admin/tenants", {"company": "Andere", "short_code": "ANDERE", "permissions": permissions})
        assert made.status == 201, made.body
        warehouse = {"name": "Lager", "short_code": "LAGER", "preparation_duration_before": 120, "preparation_shift_time": "12:00"}
        answer = client.call("POST", f"/api/admin/warehouses?tenant_id={made.json()['id']}", warehouse)
        assert answer.status == 201, answer.body
        return made.json()["id"]

    def client(self):
        return Client(self.run.server, self.run.token, timeout=120)

    def call(self, client, *request, statuses=(200,), tries=60):
        """Repeats a call while the server is busy. Returns None for an unexpected answer."""
        return self.repeated(lambda: client.call(*request), statuses, tries)

    def upload(self, client, *request, **fields):
        """Repeats an upload while the server is busy. Returns the id of its import, or None for an unexpected
        answer."""
        answer = self.repeated(lambda: client.upload(*request, **fields), (201,))
        return answer.json()["id"] if answer else None

    def repeated(self, request, statuses, tries=60):
        """Repeats a request while the server is busy, as the answer demands: nothing was done then."""
        for _ in range(tries):
            answer = request()
            if answer.status != 503:
                break
            with self.lock:
                self.run.ledger.answers[503] = self.run.ledger.answers.get(503, 0) + 1
            time.sleep(1)
        return answer if self.answered(answer, *statuses) else None

    def listed(self, client, path):
        """All rows of a list."""
        rows, page, last = [], 1, 1
        while page <= last:
            answer = self.call(client, "GET", f"{path}&page[size]=200&page[number]={page}")
            if not answer:
                return rows
            rows, page, last = rows + answer.json()["data"], page + 1, answer.json()["meta"]["last_page"]
        return rows

    def answered(self, answer, *statuses):
        with self.lock:
            counts = self.run.ledger.answers
            counts[answer.status] = counts.get(answer.status, 0) + 1
            self.run.ledger.slowest = max(self.run.ledger.slowest, answer.seconds)
            self.run.expect(answer.status in statuses, f"answered {answer.status}: {answer.body[:300]!r}")
        return answer.status in statuses

    def connect(self, number):
        """Sends bulk calls with the same stocks, each in a different order."""
        for round_ in range(self.rounds):
            quantity = str(1 + number * self.rounds + round_)
            items = [
                {"article_number": article, "warehouse_short_code": code, "length": str(length), "quantity": quantity}
                for article, code, length in self.places[: self.items]
            ]
            items = items[::-1] if number % 2 else items
            answer = self.call(self.client(), "PUT", f"/api/v1/stocks?tenant_id={self.run.tenant}", {"items": items})
            if answer:
                results = [item["result"] for item in answer.json()["data"]]
                with self.lock:
                    self.written += sum(result in ("created", "updated") for result in results)
                    self.run.expect("refused" not in results, f"items are refused: {answer.body[:300]!r}")

    def import_stocks(self, _):
        for round_ in range(max(1, self.rounds // 2)):
            rows = [(article, "", "", code, length, 1_000 + round_, "m", "") for article, code, length in self.places]
            number = self.upload(self.client(), self.run.tenant, file(STOCKS, rows), "writers.csv", "Stock")
            if number:
                found = finished(self.run.server, self.run.tenant, [number], 600)[number]
                with self.lock:
                    self.imports.append(found)
                    self.written += found["rows_created"] + found["rows_updated"]

    def replace_all(self, _):
        """Imports files that leave out one stock each, of another tenant: it must become zero, and all others
        must be as in the file."""
        client = self.client()
        said = {"items": [
            {"article_number": article, "warehouse_short_code": code, "length": str(length), "quantity": "3"}
            for article, code, length in self.their_places
        ]}  # fmt: skip
        for round_ in range(max(1, self.rounds // 4)):
            self.call(client, "PUT", f"/api/v1/stocks?tenant_id={self.others}", said)
            named = [(*place, round_) for place in self.their_places if place != self.their_places[round_]]
            rows = [(article, "", "", code, length, 10 + quantity, "m", "") for article, code, length, quantity in named]
            tried = self.upload(client, self.others, file(STOCKS, rows), "replaced.csv", "Stock", strategy="replace_all", dry_run="true")
            if not tried:
                return
            finished(self.run.server, self.others, [tried], 600)
            path = f"/api/admin/imports/{tried}/apply?tenant_id={self.others}"
            applied = self.call(client, "POST", path, statuses=(200, 201))
            if not applied:
                return
            number = applied.json()["id"]
            found = finished(self.run.server, self.others, [number], 600)[number]
            stocks = self.listed(client, f"/api/admin/stocks?tenant_id={self.others}")
            quantities = sorted(int(row["quantity"]) for row in stocks)
            with self.lock:
                self.imports.append(found)
                expected = [0] + [10 + round_] * (len(self.their_places) - 1)
                self.run.expect(quantities == expected, f"after a file that replaces all: {quantities[:3]}, {len(quantities)} stocks")

    def patch(self, number):
        """Changes one field of a record that others patch too."""
        field, client = ("display_name", "article_number_name")[number % 2], self.client()
        for count in range(self.rounds * 5):
            value = f"{number}-{count}"
            if self.call(client, "PATCH", f"/api/admin/materials/{self.material}", {field: value}):
                with self.lock:
                    self.fields[field] = value

    def reorder(self, number):
        """Reorders at the same moment as another client that has read the same order."""
        client, path = self.client(), f"/api/admin/price-adjustments?tenant_id={self.run.tenant}"
        for _ in range(self.rounds):
            seen = [row["id"] for row in self.listed(client, f"{path}&sort=position")]
            if len(seen) < 2:
                return
            ids = seen[1:] + seen[:1] if number % 2 else seen[::-1]
            self.barrier.wait(60)
            order = path.replace("adjustments", "adjustments/order")
            answer = self.call(client, "PUT", order, {"ids": ids, "seen": seen}, statuses=(204, 409))
            with self.lock:
                self.won.append((tuple(seen), answer is not None and answer.status == 204))
            self.barrier.wait(60)

    def follow(self, _):
        """Maintains a copy of the stocks with the change feed."""
        client, cursor = self.client(), None
        while True:
            last = self.over.is_set()
            since = f"&since={cursor}" if cursor else ""
            answer = self.call(client, "GET", f"/api/v1/changes?tenant_id={self.run.tenant}{since}")
            if not answer:
                return
            page = answer.json()
            cursor = page["cursor"]
            for change in page["data"]:
                if change["deleted"]:
                    self.stocks.pop(change["id"], None)
                else:
                    self.stocks[change["id"]] = change["stock"]["quantity"]
            if not page["has_more"]:
                if last:
                    return
                time.sleep(0.05)

    def work(self):
        jobs = [self.connect, self.connect, self.connect, self.import_stocks, self.replace_all, self.patch, self.patch, self.reorder, self.reorder]
        threads = [threading.Thread(target=self.guarded, args=(job, number), daemon=True) for number, job in enumerate(jobs)]
        follower = threading.Thread(target=self.guarded, args=(self.follow, 0), daemon=True)
        for thread in (*threads, follower):
            thread.start()
        for thread in threads:
            thread.join(900)
            self.run.expect(not thread.is_alive(), "a writer has not come to its end")
        # a change gets its number shortly after its commit
        time.sleep(1)
        self.over.set()
        follower.join(120)

    def guarded(self, job, number):
        try:
            job(number)
        except Exception as error:  # a writer that raises is a problem of the run
            self.run.problems.append(f"{job.__name__}: {type(error).__name__}: {error}")


def writers(suite, database, seed):
    """Runs imports, bulk calls, patches, reorders and replacing files concurrently, followed by the change
    feed."""
    rows, items, rounds = SIZES_IN_CI if suite.short else SIZES
    run = Run(suite, database, seed, "writers")
    with contextlib.closing(run):
        run.begin()
        sides = Writers(run, rows, items, rounds)
        client = Client(run.server, run.token)
        there = {row["id"]: row["version"] for row in every(client, f"/api/admin/stocks?tenant_id={run.tenant}")}
        began = time.monotonic()
        sides.work()
        run.saw.append(f"{sides.written:,} stocks written in {time.monotonic() - began:.1f} s")
        for found in sides.imports:
            run.expect(found["status"] == "Success", f"an import ended as {found}")
        stocks = every(client, f"/api/admin/stocks?tenant_id={run.tenant}")
        written = sum(row["version"] for row in stocks) - sum(there.values())
        run.expect(written == sides.written, f"{sides.written:,} writes of stocks were acknowledged, their versions say {written:,}")
        run.expect(len(stocks) == len(there) + rows, f"{len(stocks)} stocks instead of {len(there) + rows}")
        known = {row["id"]: row["quantity"] for row in stocks}
        differing = [id_ for id_, quantity in known.items() if sides.stocks.get(id_) != quantity]
        run.expect(not differing and len(known) == len(sides.stocks), f"the change feed differs for {len(differing)} stocks")
        material = client.call("GET", f"/api/admin/materials/{sides.material}").json()
        for field, value in sides.fields.items():
            run.expect(material[field] == value, f"{field} is {material[field]} instead of {value}")
        patched = 1 + 2 * rounds * 5
        run.expect(material["version"] == patched, f"version {material['version']} after {patched - 1} patches")
        for (first, won), (second, also) in zip(sides.won[::2], sides.won[1::2], strict=True):
            run.expect(first == second and won != also, "of two reorders of the same order not exactly one has won")
        run.expect(run.server.end() == 0, "the server did not end well")
        run.problems += database.check(run.data, run.url)
    return run
