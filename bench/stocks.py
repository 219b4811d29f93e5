"""Stocks: the speed of files and calls compared with a bare copy of the same rows, and the effect of other
tenants' stocks on lists."""

import csv
import os
import time
import urllib.parse

COLUMNS = [
    "tenant_id", "name", "article_id", "warehouse_id", "length", "width", "height", "availability_type", "quantity",
    "lead_time", "version", "created_at", "updated_at",
]  # fmt: skip
HEAD = ["Artikelnummer", "Externe Artikelnummer", "Lager", "Menge", "Mengeneinheit", "Lieferzeit"]
# Maximum number of items in a call of /api/v1.
ITEMS = 1_000
MATCHED = "K-{}"


class Company:
    """A tenant of the benchmark, with warehouses."""

    def __init__(self, server, name, warehouses):
        self.server = server
        first = server.call("GET", "/api/admin/tenants")["data"][0]["id"]
        permissions = server.call("GET", f"/api/admin/tenants/{first}")["permissions"]
        tenant = {"company": name, "short_code": name, "permissions": permissions}
        self.id = server.call("POST", "/api/admin/tenants", tenant)["id"]
        self.warehouses = []
        for number in range(warehouses):
            warehouse = {"name": f"Lager {number}", "short_code": f"L{number}", "preparation_duration_before": 60}
            made = server.call("POST", f"/api/admin/warehouses?tenant_id={self.id}", warehouse)
            self.warehouses.append((made["id"], made["short_code"]))

    def rows(self, articles, count):
        """Yields `count` stocks: one of each article in each warehouse. Every second article is named by the
        number of another system."""
        assert count <= len(articles) * len(self.warehouses), (count, len(articles), len(self.warehouses))
        for index in range(count):
            place, number = divmod(index, len(articles))
            yield index, articles[number], self.warehouses[place]

    def file(self, articles, count, more=0, some=0):
        """The stocks as a file; `more` changes all quantities, and `some` those of one stock in 20."""
        path = os.path.join(self.server.database.folder, f"stocks-{self.id}-{count}-{more}-{some}.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
            writer.writerow(HEAD)
            for index, (_, number, external), (_, code) in self.rows(articles, count):
                names = ("", external) if external else (number, "")
                tenths = quantity(index, more if index % 20 else more + some)
                writer.writerow([*names, code, f"{tenths // 10},{tenths % 10}", "", index % 9 or ""])
        return path

    def matchings(self, articles):
        path = os.path.join(self.server.database.folder, f"matchings-{self.id}.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
            writer.writerow(["Artikelnummer", "Externe Artikelnummer"])
            writer.writerows((number, external) for _, number, external in articles if external)
        return path

    def table(self, articles, count):
        """The stocks as rows of the table."""
        for index, (id, number, _), (warehouse, code) in self.rows(articles, count):
            lead_time = index % 9 * 1440 or None
            yield (
                self.id, f"{number}, {code}", id, warehouse, 0, 0, 0, "quantity", quantity(index, 0) * 100_000, lead_time, 1,
                "2026-11-01T08:00:00.000000+00:00", "2026-11-01T08:00:00.000000+00:00",
            )  # fmt: skip

    def items(self, articles, count):
        for index, (_, number, external), (_, code) in self.rows(articles, count):
            name = {"external_article_number": external} if external else {"article_number": number}
            item = {**name, "warehouse_short_code": code, "quantity": f"{quantity(index, 0) // 10}.{quantity(index, 0) % 10}"}
            yield {**item, "lead_time": index % 9 * 1440} if index % 9 else item

    def upload(self, path, type, **fields):
        """Uploads a file; returns the import when it has ended, and the time that it took."""
        with open(path, "rb") as file:
            content, kind = multipart({"type": type, **fields}, os.path.basename(path), file.read())
        started = time.monotonic()
        found = self.server.call("POST", f"/api/admin/imports?tenant_id={self.id}", content, kind)
        while found["status"] in ("Queued", "InProgress"):
            time.sleep(0.05)
            found = self.server.call("GET", f"/api/admin/imports/{found['id']}?tenant_id={self.id}")
        return found, time.monotonic() - started


def quantity(index, more):
    """Quantity in tenths."""
    return (index * 37 + more) % 99_991 + 1


def known_articles(server):
    """Articles and, for every second one, its number in another system."""
    found = server.database.ask("SELECT id, article_number FROM article ORDER BY id")
    return [(id, number, MATCHED.format(id) if id % 2 else None) for id, number in found]


def measure(bench, server):
    """Measures files, with a bare copy before and after them, then calls."""
    rows = bench.options.imported
    articles = known_articles(server)
    needed = -(-rows // len(articles))
    before, company, called, after = (Company(server, name, needed) for name in ("VORHER", "DATEI", "RUFE", "NACHHER"))

    def add(point, value, unit="/s", **more):
        bench.add(server, "stocks", point, value, unit, **more)

    def uploaded(point, path, type, **expected):
        """Rows per second of a file that is imported as expected."""
        cpu = server.cpu_seconds()
        found, seconds = company.upload(path, type)
        whole = {key: found[key] for key in expected}
        if found["status"] != "Success" or whole != expected:
            bench.report.fail(server, f"{point}: {found}")
        add(point, found["rows_total"] / seconds, cpu=f"{server.cpu_seconds() - cpu:.1f} s", took=f"{seconds:.1f} s")
        return found["rows_total"] / seconds

    def copied(of, point):
        rate = rows / server.database.copy("stock", COLUMNS, list(of.table(articles, rows)))
        add(point, rate)
        return rate

    matched = sum(external is not None for _, _, external in articles)
    for of in (company, called):
        found, _ = of.upload(of.matchings(articles), "Matching")
        if found["rows_created"] != matched:
            bench.report.fail(server, f"matchings: {found}")
    server.database.analyze("stock", "matching")

    bare = [copied(before, "bare copy of stocks, before")]
    path = company.file(articles, rows)
    new = uploaded("stocks from a file, new", path, "Stock", rows_created=rows)
    bare.append(copied(after, "bare copy of stocks, after"))
    same = uploaded("stocks from a file, unchanged", path, "Stock", rows_unchanged=rows)
    changed = uploaded("stocks from a file, all changed", company.file(articles, rows, more=1), "Stock", rows_updated=rows)
    check(bench, server, company, articles, rows, more=1)
    bare = sum(bare) / len(bare)
    add("stocks: new beside the bare copy", new / bare * 100, "%")
    add("stocks: unchanged beside new", same / new, "x")
    add("stocks: changed beside the bare copy", changed / bare * 100, "%")

    calls = list(called.items(articles, rows))
    started, created = time.monotonic(), 0
    cpu = server.cpu_seconds()
    for first in range(0, rows, ITEMS):
        answer = server.call("PUT", f"/api/v1/stocks?tenant_id={called.id}", {"items": calls[first : first + ITEMS]})
        created += sum(item["result"] == "created" for item in answer["data"])
    seconds = time.monotonic() - started
    if created != rows:
        bench.report.fail(server, f"calls: {created:,} of {rows:,} items were created")
    check(bench, server, called, articles, rows)
    add("stocks by calls of 1,000, one after the other", rows / seconds, cpu=f"{server.cpu_seconds() - cpu:.1f} s")
    add("stocks: calls beside the file", rows / seconds / new * 100, "%")


def check(bench, server, company, articles, rows, more=0):
    """Checks that the stocks match the file, each once, and that each row that has changed one has a result."""
    found = server.database.ask(
        f"SELECT count(*) AS rows, coalesce(sum(quantity), 0) AS quantity, count(lead_time) AS times FROM stock WHERE tenant_id = {company.id}"
    )[0]
    expected = (rows, sum(quantity(index, more) for index in range(rows)) * 100_000, sum(index % 9 > 0 for index in range(rows)))
    if tuple(map(int, found)) != expected:
        bench.report.fail(server, f"the stocks of {company.id} are {found} instead of {expected}")
    without_result = server.database.ask(
        f"SELECT count(*) AS rows FROM import i WHERE i.tenant_id = {company.id} AND i.rows_created + i.rows_updated <> "
        "(SELECT count(*) FROM import_row r WHERE r.tenant_id = i.tenant_id AND r.import_id = i.id AND r.outcome IN ('created', 'updated'))"
    )[0][0]
    if without_result:
        bench.report.fail(server, f"{without_result} imports lack results of rows")


def measure_memory(bench, server, sizes):
    """Measures the peak memory of a fresh server while it imports files of these sizes."""
    articles = known_articles(server)
    for rows in sizes:
        company = Company(server, f"SPEICHER{rows}", -(-rows // len(articles)))
        found, _ = company.upload(company.matchings(articles), "Matching")
        path = company.file(articles, rows)
        server.stop()
        server.start()
        time.sleep(1)
        end = server.watch_memory()
        found, seconds = company.upload(path, "Stock")
        if found["status"] != "Success" or found["rows_created"] != rows:
            bench.report.fail(server, f"{rows:,} stocks: {found}")
        check(bench, server, company, articles, rows)
        bench.add(server, "stocks", f"memory, {rows:,} stocks from a file", end(), "MiB", rate=f"{rows / seconds:,.0f}/s")


def fill_tenants(bench, server, tenants, stocks):
    """Creates `tenants` tenants with `stocks` stocks each; returns the one to measure."""
    database = server.database
    companies = [Company(server, f"FIRMA{number}", 2) for number in range(tenants)]
    articles = database.ask(f"SELECT id, article_number FROM article ORDER BY id LIMIT {stocks}")
    assert len(articles) == stocks, len(articles)
    started = time.monotonic()
    server.stop()
    numbers = {company.id: company.warehouses[0][0] for company in companies}
    other = {company.id: company.warehouses[1][0] for company in companies}
    database.multiply_stocks(numbers, other, stocks)
    database.analyze("stock")
    server.start()
    bench.add(server, "tenants", "bare fill, stocks", tenants * stocks / (time.monotonic() - started))
    total = database.ask("SELECT count(*) AS rows FROM stock")[0][0]
    if total < tenants * stocks:
        bench.report.fail(server, f"{total:,} stocks instead of {tenants * stocks:,}")
    # in the middle of the others
    company = companies[tenants // 2]
    company.stocks = stocks
    return company


def lists(company):
    """Points of both lists of a tenant."""
    server, database = company.server, company.server.database
    ids = dict(database.ask("SELECT name, id FROM article_type"))
    material = database.ask("SELECT min(id) AS id FROM material WHERE name = 'S235JR'")[0][0]
    last = company.stocks // 40
    warehouse = company.warehouses[1][0]
    filters = {
        "first page": {},
        "middle page": {"page[number]": last // 2},
        "last page": {"page[number]": last},
        "by article": {"sort": "article_number"},
        "by article, middle page": {"sort": "-article_number", "page[number]": last // 2},
        "warehouse": {"filter[warehouse_id]": warehouse},
        "type": {"filter[article_type_id]": ids["HEB"]},
        "material": {"filter[material_id]": material},
        "search heb (frequent)": {"filter[search]": "heb"},
        "search HEB 200 (some)": {"filter[search]": "heb 200"},
        "search qqq (absent)": {"filter[search]": "qqq"},
        "availability": {"filter[availability_type]": "quantity"},
        "changed since": {"filter[updated_at_greater_than]": "2026-05-01T00:00:00Z"},
    }
    own = {
        "stocks": {
            **filters,
            "by quantity": {"sort": "-quantity"},
            "by quantity, middle page": {"sort": "quantity", "page[number]": last // 2},
            "quantity below 10": {"filter[quantity_lesser_than]": "10"},
            "known since": {"filter[known_at_greater_equals]": "2026-05-01T00:00:00Z"},
        },
        "prices": {**filters, "by change": {"sort": "-updated_at"}, "without a price": {"filter[priced]": "false"}},
    }
    for name, points in own.items():
        for point, parameters in points.items():
            text = urllib.parse.urlencode({"tenant_id": company.id, **parameters}, safe="[]")
            yield f"{name}: {point}", f"GET /api/admin/{name}?{text}"


def measure_tenants(bench, alone, many):
    """Measures each point on both databases, one right after the other; the best of three rounds counts."""
    slow = []
    for (point, of_alone), (_, of_many) in zip(lists(alone), lists(many), strict=True):
        same = [company.server.call("GET", request.partition(" ")[2])["meta"]["total"] for company, request in ((alone, of_alone), (many, of_many))]
        if same[0] != same[1]:
            bench.report.fail(many.server, f"{point}: {same[1]} instead of {same[0]}")
        rates = {}
        for company, request in ((alone, of_alone), (many, of_many)) * 3:
            company.server.load([request], bench.options.warm, 8)
            found = company.server.load([request], bench.options.seconds, 8)
            bench.unexpected(company.server, point, found, "2")
            rates[company] = max(rates.get(company, 0), found["per_second"])
        bench.add(alone.server, "tenants", f"{point}, alone", rates[alone])
        bench.add(many.server, "tenants", f"{point}, among many", rates[many])
        times = rates[alone] / max(rates[many], 0.001)
        bench.add(many.server, "tenants", f"{point}: alone beside among many", times, "x", rows_found=f"{same[0]:,}")
        if times > 1.5:
            slow.append(f"{point} ({times:.2f}x)")
    bench.add(many.server, "tenants", "lists slower than 1.5x among many", len(slow), "", which=", ".join(slow))


def multipart(fields, name, content):
    boundary = "stalhof-bench-boundary"
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
    ]
    disposition = f'Content-Disposition: form-data; name="file"; filename="{name}"'
    head = f"--{boundary}\r\n{disposition}\r\nContent-Type: text/csv\r\n\r\n"
    parts += [head.encode(), content, f"\r\n--{boundary}--\r\n".encode()]
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"
