"""Disk space of a tenant's history per day: its stocks in a daily file, or by calls."""

from stocks import ITEMS, Company, known_articles

DAYS = 3
# The first of them splits pages of indexes, which the others fill.
USUAL_DAYS = 8


def measure(bench, servers):
    """Measures the bytes of history per stock and day."""
    for server in servers:
        measure_one(bench, server)


def measure_one(bench, server):
    rows = bench.options.imported
    articles = known_articles(server)
    company = Company(server, "TAGE", -(-rows // len(articles)))
    company.upload(company.matchings(articles), "Matching")

    def grown(point, table, act, count=rows, days=1):
        before = server.database.size(table)
        act()
        bench.add(server, "history", point, (server.database.size(table) - before) / count / days, "B")

    def day(expected, more, some=0):
        found, seconds = company.upload(company.file(articles, rows, more=more, some=some), "Stock")
        if found["status"] != "Success" or found[expected] != (rows // 20 if some else rows):
            bench.report.fail(server, f"a day's file: {found}")
        return seconds

    def calls():
        items = list(company.items(articles, rows))
        for first in range(0, rows, ITEMS):
            answer = server.call("PUT", f"/api/v1/stocks?tenant_id={company.id}", {"items": items[first : first + ITEMS]})
            if any(item["result"] != "updated" for item in answer["data"]):
                bench.report.fail(server, f"a call: {answer['data'][:3]}")

    grown("import_row: a new stock", "import_row", lambda: day("rows_created", 0))
    grown("import_row: a changed stock and day", "import_row", lambda: [day("rows_updated", n + 1) for n in range(DAYS)], days=DAYS)
    seconds = []
    grown("import_row: an unchanged stock and day", "import_row", lambda: seconds.append(day("rows_unchanged", DAYS)))
    bench.add(server, "history", "a file of unchanged stocks", seconds[0], "s")
    grown("import_row: a stock and day, one in 20 changes", "import_row", lambda: [day("rows_updated", DAYS, n + 1) for n in range(USUAL_DAYS)], days=USUAL_DAYS)
    bench.add(server, "history", "stock_confirmation: a stock, once", server.database.size("stock_confirmation") / rows, "B")
    grown("audit_entry: a changed stock and day", "audit_entry", calls)
