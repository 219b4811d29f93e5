"""Price lists: the time to import a list compared with a bare copy, the speed of a list of 100,000 prices
compared with other lists, and the number of carts priced per second compared with bare SQL that only looks
up the prices."""

import csv
import json
import os
import re
import statistics
import subprocess
import time

from stocks import Company

COLUMNS = [
    "tenant_id", "price_list_id", "article_id", "name", "price", "price_quantity", "price_unit", "version", "created_at",
    "updated_at",
]  # fmt: skip
HEAD = ["Artikelnummer", "Preis", "Preismenge", "Preiseinheit"]
MOMENT = "2026-11-01T08:00:00.000000+00:00"
# Figures of the price lists for carts, the same as in crates/pricing/examples/carts.rs.
LISTS = 50
LINES = 20

# Price of each line by the winning list: own before global, then the later start, then the higher id.
NAIVE = """SELECT w.article_id, (SELECT e.price FROM price_list l JOIN price_list_entry e ON e.tenant_id = {tenant}
    AND e.price_list_id = l.id AND e.article_id = w.article_id
    WHERE l.owner_tenant_id = {tenant} AND l.type = 'sales' AND l.valid_from <= {now} AND (l.valid_until IS NULL OR l.valid_until > {now})
    AND (l.scope = 'global' OR EXISTS (SELECT 1 FROM price_list_tenant t WHERE t.price_list_id = l.id AND t.tenant_id = {buyer}))
    ORDER BY CASE l.scope WHEN 'own' THEN 0 ELSE 1 END, l.valid_from DESC, l.id DESC LIMIT 1) AS price
    FROM (SELECT id AS article_id FROM article WHERE id IN ({articles})) w"""


class Trader(Company):
    """A tenant of the benchmark with price lists."""

    def __init__(self, server, name):
        super().__init__(server, name, 1)
        self.name = name

    def price_list(self, number):
        """Creates a list that starts later than the last one: changes of a list that is in effect would be
        checked for implausible prices."""
        head = {"name": f"Liste {number}", "owner_tenant_id": self.id, "type": "sales", "scope": "global", "valid_from": "2027-01-01T00:00:00Z", "limited": False}
        return self.server.call("POST", f"/api/admin/price-lists?tenant_id={self.id}", head)["id"]

    def prices_file(self, articles, more=0):
        path = os.path.join(self.server.database.folder, f"prices-{self.id}-{more}.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
            writer.writerow(HEAD)
            for index, (_, number) in enumerate(articles):
                writer.writerow([number, f"{cents(index, more) // 100},{cents(index, more) % 100:02}", "1", "t"])
        return path

    def price_rows(self, price_list, articles):
        """The same prices as rows of the table."""
        for index, (id, number) in enumerate(articles):
            yield self.id, price_list, id, number, cents(index, 0) * 10_000, 1_000_000, "t", 1, MOMENT, MOMENT


def cents(index, more):
    return 70_000 + (index * 37 + more) % 9_991


def measure(bench, server):
    """Measures files, with a bare copy before and after them, then the lists."""
    articles = server.database.ask(f"SELECT id, article_number FROM article ORDER BY id LIMIT {bench.options.imported}")
    rows = len(articles)
    trader = Trader(server, "LISTEN")

    def add(point, value, unit="/s", **more):
        bench.add(server, "prices", point, value, unit, **more)

    def uploaded(point, path, **expected):
        """Rows per second of a file that is imported as expected."""
        cpu = server.cpu_seconds()
        found, seconds = trader.upload(path, "PriceList", price_list_id=filled)
        if found["status"] != "Success" or {key: found[key] for key in expected} != expected:
            bench.report.fail(server, f"{point}: {found}")
        check(bench, server, trader, filled, rows)
        add(point, rows / seconds, cpu=f"{server.cpu_seconds() - cpu:.1f} s", took=f"{seconds:.1f} s")
        return rows / seconds

    def copied(point):
        rate = rows / server.database.copy("price_list_entry", COLUMNS, list(trader.price_rows(trader.price_list(point), articles)))
        add(point, rate)
        return rate

    bare = [copied("bare copy of a list's prices, before")]
    filled = trader.price_list("of a file")
    new = uploaded("prices of a list from a file, new", trader.prices_file(articles), rows_created=rows)
    bare.append(copied("bare copy of a list's prices, after"))
    uploaded("prices of a list from a file, unchanged", trader.prices_file(articles), rows_unchanged=rows)
    uploaded("prices of a list from a file, all changed", trader.prices_file(articles, more=1), rows_updated=rows)
    add("prices of a list: new beside the bare copy", new / (sum(bare) / len(bare)) * 100, "%")

    server.database.analyze("price_list_entry")
    page = bench.point(server, "prices", "articles, first page", ["GET /api/admin/articles"])["per_second"]
    sheet = f"GET /api/admin/price-lists/{filled}/prices?tenant_id={trader.id}"
    last = rows // 40
    for name, query in {"first page": "", "middle page": f"&page[number]={last // 2}", "last page": f"&page[number]={last}"}.items():
        found = bench.point(server, "prices", f"prices of a list, {name}", [sheet + query])["per_second"]
        add(f"prices of a list, {name}: beside the list of articles", page / found, "x")

    cpu, started = server.cpu_seconds(), time.monotonic()
    impact = server.call("POST", f"/api/admin/price-lists/{filled}/impact?tenant_id={trader.id}", {})
    if impact["articles_in_all"] != rows:
        bench.report.fail(server, f"the impact is that of {impact}")
    examined = f"{impact['articles_examined']:,}"
    add("impact of a list on its articles", time.monotonic() - started, "s", cpu=f"{server.cpu_seconds() - cpu:.1f} s", examined=examined)
    measure_bulk_change(bench, server, trader, filled, rows)


def measure_bulk_change(bench, server, trader, price_list, rows):
    """Measures raising all prices of a list together, and undoing that."""

    def count_and_sum():
        found = server.database.ask(f"SELECT count(*) AS rows, CAST(sum(price) AS bigint) AS sum FROM price_list_entry WHERE tenant_id = {trader.id} AND price_list_id = {price_list}")
        return tuple(map(int, found[0]))

    def done(point, path, body, is_done):
        cpu, started = server.cpu_seconds(), time.monotonic()
        answer = server.call("POST", f"{path}?tenant_id={trader.id}", body)
        seconds = time.monotonic() - started
        if not is_done(answer):
            bench.report.fail(server, f"{point}: {str(answer)[:500]}")
        bench.add(server, "prices", point, rows / seconds, "/s", cpu=f"{server.cpu_seconds() - cpu:.1f} s", took=f"{seconds:.1f} s")

    before = count_and_sum()
    raised = {"change": {"percent": "3"}, "count": rows}
    done("prices of a list, all raised at once", f"/api/admin/price-lists/{price_list}/prices/change", raised, lambda it: it["changed"] == rows)
    if count_and_sum()[1] <= before[1]:
        bench.report.fail(server, "no price has been raised")
    undo = {"request_id": server.request_id}
    done("prices of a list, raise undone", "/api/admin/audit/undo", undo, lambda it: not it["refused"] and it["done"] > 0)
    if count_and_sum() != before:
        bench.report.fail(server, f"after the undo the prices are {count_and_sum()} instead of {before}")


def check(bench, server, trader, price_list, rows):
    """Checks that the list has each article once, and shows the right count."""
    found = server.database.ask(
        f"SELECT count(*) AS rows, count(DISTINCT article_id) AS articles, (SELECT price_count FROM price_list WHERE id = {price_list}) AS shown "
        f"FROM price_list_entry WHERE tenant_id = {trader.id} AND price_list_id = {price_list}"
    )[0]
    if tuple(map(int, found)) != (rows, rows, rows):
        bench.report.fail(server, f"the list holds {found} instead of {rows}")


def measure_carts(bench, server, example):
    """Measures carts of 20 lines by bare SQL, which only looks up the prices; then by the product, with all
    adjustments and with explanations."""
    seller, buyer = Trader(server, "VERKAUF"), Company(server, "KAUF", 1)
    database = server.database
    lists = [seller.price_list(number) for number in range(LISTS)]
    server.stop()
    started = time.monotonic()
    database.write(
        f"UPDATE price_list SET valid_from = '{MOMENT}' WHERE owner_tenant_id = {seller.id}",
        f"INSERT INTO price_list_entry ({', '.join(COLUMNS)}) SELECT {seller.id}, l.id, a.id, a.article_number, "
        f"(700 + (a.id * 7 + l.id * 13) % 400) * 1000000, 1000000, 't', 1, '{MOMENT}', '{MOMENT}' "
        f"FROM price_list l CROSS JOIN article a WHERE l.owner_tenant_id = {seller.id}",
    )
    database.analyze("price_list_entry", "price_list")
    prices = database.ask(f"SELECT count(*) AS rows FROM price_list_entry WHERE tenant_id = {seller.id}")[0][0]
    bench.add(server, "carts", "bare fill, prices of lists", prices / (time.monotonic() - started))
    articles = [id for (id,) in database.ask("SELECT id FROM article ORDER BY id")]
    if prices != len(lists) * len(articles):
        bench.report.fail(server, f"{prices:,} prices are in play")
    carts = [
        NAIVE.format(tenant=seller.id, buyer=buyer.id, now=f"'{MOMENT}'", articles=", ".join(str(articles[(cart * 7_919 + line * 104_729) % len(articles)]) for line in range(LINES)))
        for cart in range(50)
    ]
    if len(database.ask(carts[0])) != LINES or None in [price for _, price in database.ask(carts[0])]:
        bench.report.fail(server, "bare SQL finds no price")
    naive = database.yardstick(carts, bench.options.seconds, 2) * len(carts)
    bench.add(server, "carts", "bare SQL: prices of 20 lines, carts", naive)
    server.start()

    output = subprocess.run([example, "2", str(max(1, round(bench.options.seconds)))], check=True, text=True, capture_output=True).stdout
    found = {way: float(carts) for way, carts in re.findall(r"^(\w+): (\d+) carts", output, re.MULTILINE)}
    compiled = re.search(r"^(\d+) prices compiled in ([\d.]+)(m?s)$", output, re.MULTILINE)
    size = re.search(r"^(\d+) MB a million prices", output, re.MULTILINE)
    bench.add(server, "carts", "carts, not explained", found["Plain"])
    bench.add(server, "carts", "carts, explained", found["Written"])
    bench.add(server, "carts", "carts: explained beside not explained", found["Written"] / found["Plain"] * 100, "%")
    bench.add(server, "carts", "carts: explained beside bare SQL", found["Written"] / naive, "x")
    seconds = float(compiled[2]) / (1_000 if compiled[3] == "ms" else 1)
    bench.add(server, "carts", "book compiled from memory, prices", int(compiled[1]) / seconds)
    bench.add(server, "carts", "book, of a million prices", float(size[1]), "MB")

    question = {"carts": [{"buyer_id": buyer.id, "lines": [{"article_id": id, "quantity": "1", "unit": "t"} for id in articles[:LINES]]}]}

    def first_cart(point, **more):
        """Measures the first cart after a change that has invalidated the seller's cached price book."""
        started, attempts, answer = time.monotonic(), 1, None
        while answer is None:
            try:
                answer = server.call("POST", f"/api/admin/quotes?tenant_id={seller.id}", question)
            except RuntimeError as error:
                # loading took longer than a request may wait; the next one finds the book
                if "prices_loading" not in str(error) or attempts == 10:
                    raise
                attempts += 1
        seconds = time.monotonic() - started
        if any(line["errors"] for line in answer["data"][0]["lines"]):
            bench.report.fail(server, f"the cart has no price: {answer}")
        bench.add(server, "carts", point, seconds, "s", **({"attempts": attempts} if attempts > 1 else {}), **more)
        return answer["data"][0]["total"]

    before = server.memory()
    total = first_cart("first cart of a seller, with its book read", prices=f"{prices:,}")
    bench.add(server, "carts", "memory that the book takes", server.memory() - before, "MiB")
    found = database.ask(f"SELECT price FROM price_list_entry WHERE tenant_id = {seller.id} AND price_list_id = {lists[-1]} AND article_id = {articles[0]}")
    price = {"price": str(int(found[0][0]) // 1_000_000 + 1), "price_quantity": "1", "unit": "t"}
    server.call("PUT", f"/api/admin/price-lists/{lists[-1]}/prices?tenant_id={seller.id}", {"prices": [{"article_id": articles[0], "price": price}]})
    dearer = first_cart("first cart after a price has changed")
    if float(dearer) - float(total) != 1:
        bench.report.fail(server, f"the cart costs {dearer} instead of one more than {total}")
    discount = {"name": "Rabatt", "operation": "discount", "value": "1", "calculation_type": "absolute", "apply_to": {"kind": "item_type", "item_types": ["article"]}, "active": True}
    server.call("POST", f"/api/admin/price-adjustments?tenant_id={seller.id}", discount)
    first_cart("first cart after an adjustment has come")


# Number of changes of each kind; the median of their times counts.
CHANGES = 21
STOCK_COLUMNS = [
    "tenant_id", "name", "article_id", "warehouse_id", "length", "width", "height", "availability_type", "quantity",
    "external_price", "external_price_quantity", "external_price_unit", "price_version", "version", "created_at", "updated_at",
]  # fmt: skip


def measure_changes(bench, server):
    """Measures the first quote after one changed price, for a seller with a priced stock of each article and
    fifty lists of all articles but one, which is sold at the price of its stock."""
    seller = Trader(server, "WECHSEL")
    database = server.database
    lists = [seller.price_list(number) for number in range(LISTS)]
    articles = [id for (id,) in database.ask("SELECT id FROM article ORDER BY id")]
    listed, unlisted = articles[0], articles[-1]
    server.stop()
    database.write(
        f"UPDATE price_list SET valid_from = '{MOMENT}' WHERE owner_tenant_id = {seller.id}",
        f"INSERT INTO price_list_entry ({', '.join(COLUMNS)}) SELECT {seller.id}, l.id, a.id, a.article_number, "
        f"(700 + (a.id * 7 + l.id * 13) % 400) * 1000000, 1000000, 't', 1, '{MOMENT}', '{MOMENT}' "
        f"FROM price_list l CROSS JOIN article a WHERE l.owner_tenant_id = {seller.id} AND a.id <> {unlisted}",
        f"INSERT INTO stock ({', '.join(STOCK_COLUMNS)}) SELECT {seller.id}, a.article_number || ', L0', a.id, {seller.warehouses[0][0]}, 0, 0, 0, "
        f"'quantity', 1000000, (700 + a.id * 7 % 400) * 1000000, 1000000, 't', 1, 1, '{MOMENT}', '{MOMENT}' FROM article a",
    )
    database.analyze("price_list_entry", "price_list", "stock")
    [(stock,)] = database.ask(f"SELECT id FROM stock WHERE tenant_id = {seller.id} AND article_id = {unlisted}")
    prices = {
        stock: database.ask(f"SELECT external_price FROM stock WHERE id = {stock}")[0][0],
        listed: database.ask(f"SELECT price FROM price_list_entry WHERE tenant_id = {seller.id} AND price_list_id = {lists[-1]} AND article_id = {listed}")[0][0],
    }
    prices = {id: int(price) // 1_000_000 for id, price in prices.items()}
    server.start()

    def quote(article):
        """Returns the total of a tonne, and the milliseconds until the answer."""
        question = {"carts": [{"lines": [{"article_id": article, "quantity": "1", "unit": "t"}]}]}
        started = time.monotonic()
        for _ in range(10):
            try:
                answer = server.call("POST", f"/api/admin/quotes?tenant_id={seller.id}", question)
                return float(answer["data"][0]["total"]), (time.monotonic() - started) * 1_000
            except RuntimeError as error:
                if "prices_loading" not in str(error):
                    raise
        raise RuntimeError("the prices are loaded for too long")

    def raise_stock(price):
        server.call("PUT", f"/api/admin/prices/{stock}?tenant_id={seller.id}", {"external_price": {"price": str(price), "unit": "t"}})

    def raise_listed(price):
        money = {"price": str(price), "price_quantity": "1", "unit": "t"}
        server.call("PUT", f"/api/admin/price-lists/{lists[-1]}/prices?tenant_id={seller.id}", {"prices": [{"article_id": listed, "price": money}]})

    _, first = quote(unlisted)
    bench.add(server, "price-changes", "first quote of a seller, all read", first / 1_000, "s", prices=f"{LISTS * (len(articles) - 1) + len(articles):,}")
    for point, article, price, change in [("a stock", unlisted, prices[stock], raise_stock), ("a list", listed, prices[listed], raise_listed)]:
        after, cached = [], []
        for more in range(1, CHANGES + 1):
            change(price + more)
            total, took = quote(article)
            if total != price + more:
                bench.report.fail(server, f"a tonne costs {total} instead of {price + more}")
            after.append(took)
            cached.append(quote(article)[1])
        bench.add(server, "price-changes", f"first quote after a price of {point} has changed", statistics.median(after), "ms", max=f"{max(after):.1f} ms")
        bench.add(server, "price-changes", f"the quote after that one, {point}", statistics.median(cached), "ms")
    measure_single_quotes(bench, server, seller, articles)


# Lines of a single quote, and the number of callers.
SINGLE_LINES = 10
CALLERS = 4


def measure_single_quotes(bench, server, seller, articles):
    """Measures quotes one by one, each of different articles, and the processor time of the server and of
    PostgreSQL for each."""
    carts = [[articles[(cart * 7_919 + line * 104_729) % len(articles)] for line in range(SINGLE_LINES)] for cart in range(500)]
    questions = [{"carts": [{"lines": [{"article_id": id, "quantity": "1", "unit": "t"} for id in lines]}]} for lines in carts]
    path = f"/api/admin/quotes?tenant_id={seller.id}"
    answer = server.call("POST", path, questions[0])["data"][0]
    if len(answer["lines"]) != SINGLE_LINES or any(line["errors"] for line in answer["lines"]):
        bench.report.fail(server, f"the cart has no price: {answer}")
    requests = [f"POST {path} {json.dumps(question)}" for question in questions]
    server.load(requests, bench.options.warm, CALLERS)
    before = server.cpu_seconds(), server.database.cpu_seconds()
    found = server.load(requests, bench.options.seconds, CALLERS)
    spent = server.cpu_seconds() - before[0], server.database.cpu_seconds() - before[1]
    bench.unexpected(server, "quotes one by one", found, "2")
    answers = max(1, sum(found["statuses"].values()))
    server_ms, database_ms = (seconds / answers * 1_000 for seconds in spent)
    bench.add(server, "price-changes", f"quotes of {SINGLE_LINES} lines one by one", found["per_second"], p50=f"{found['p50_us'] / 1000:.1f} ms")
    bench.add(server, "price-changes", "processor time of such a quote", server_ms + database_ms, "ms", postgres=f"{database_ms:.2f} ms")
