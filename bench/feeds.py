"""Feeds: their cost while none is due, and the time of their files compared with uploads of the same files."""

import datetime
import os
import statistics
import time

from sftp_server import SftpServer
from stocks import Company, check, known_articles

__all__ = ["SftpServer", "TENANTS", "measure_files", "measure_idle"]

TENANTS = 1_000
# Daily runs that are stored for each feed.
DAYS = 90
RUN = [
    "tenant_id", "settings_id", "kind", "cause", "started_at", "finished_at", "outcome", "file_name", "bytes", "sha256", "import_id",
    "created_at", "updated_at",
]  # fmt: skip
# First id of imports that have been deleted.
GONE = 1_000_000_000
ROUNDS = 3
# Seconds between the checks of a process for due rows, and between checks of the health of all feeds.
POLL, LOOK = 5, 300


def measure_idle(bench, without, with_feeds, sftp):
    """Measures the processor time of two servers over the same seconds; one has feeds. Both have the same
    tenants."""
    for server in (without, with_feeds):
        companies = [Company(server, f"ZULIEFERER{number}", 0) for number in range(TENANTS)]
    for company in companies:
        with_feeds.call("POST", f"/api/admin/ftp-settings?tenant_id={company.id}", sftp.settings(company.id))
    with_feeds.stop()
    with_feeds.database.copy("feed_run", RUN, list(runs_of_days(with_feeds.database)))
    with_feeds.database.analyze("feed_run", "ftp_settings", "schedule", "tenant")
    with_feeds.start()
    # waits until jobs that are due at the start have run
    time.sleep(2 * POLL)
    before = counts(with_feeds)
    if before["feeds"] != 2 * TENANTS or before["runs"] != 2 * TENANTS * DAYS:
        bench.report.fail(with_feeds, f"feeds, none due: {before}")
    times, memory = [server.cpu_seconds() for server in (without, with_feeds)], with_feeds.memory()
    began = time.monotonic()
    time.sleep(bench.options.idle)
    seconds = time.monotonic() - began
    bare, spent = (server.cpu_seconds() - at for server, at in zip((without, with_feeds), times, strict=True))
    after = counts(with_feeds)
    looks = after.pop("looks") - before.pop("looks")
    if after != before or looks < seconds // (LOOK + POLL):
        bench.report.fail(with_feeds, f"feeds, none due: {after} after {before}, with {looks} looks at their health")
    for point, value in (("without feeds", bare), ("with feeds", spent)):
        bench.add(with_feeds, "feeds", f"feeds: core of a server {point}", value / seconds * 100, "%")
    bench.add(
        with_feeds, "feeds", "feeds: core while none is due", (spent - bare) / seconds * 100, "%",
        over=f"{seconds:.0f} s", looks=looks, memory=f"{memory:.0f} MiB",
    )  # fmt: skip


def runs_of_days(database):
    """Inserts runs of the feeds: a file a day for each. The imports are deleted."""
    feeds = [(tenant, id, kind) for tenant, id in database.ask("SELECT tenant_id, id FROM ftp_settings ORDER BY id") for kind in ("price", "stock")]
    first = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=DAYS - 1)
    for day in range(DAYS):
        at = (first + datetime.timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%S.000000+00:00")
        for tenant, id, kind in feeds:
            yield tenant, id, kind, "schedule", at, at, "imported", "datei.csv", 48_210, f"{day:064x}", GONE + id, at, at


def counts(server):
    """Numbers of waiting feeds, runs, incidents, and successful health checks."""
    found = server.database.ask(
        "SELECT (SELECT count(*) FROM schedule WHERE lease_owner IS NULL AND started_at IS NULL) AS feeds, "
        "(SELECT count(*) FROM feed_run) AS runs, (SELECT count(*) FROM feed_incident) AS incidents, "
        "(SELECT runs - failed_runs FROM background_job WHERE name = 'feed_health') AS looks"
    )[0]
    return dict(zip(("feeds", "runs", "incidents", "looks"), map(int, found), strict=True))


def measure_files(bench, server, sftp):
    """Measures files of stocks by a feed and by uploads alternately. Each file changes all rows, and is
    measured to the end of its import."""
    rows, articles = bench.options.imported, known_articles(server)
    company = Company(server, "LIEFERANT", -(-rows // len(articles)))
    found, _ = company.upload(company.matchings(articles), "Matching")
    found, _ = company.upload(company.file(articles, rows), "Stock")
    if found["status"] != "Success" or found["rows_created"] != rows:
        bench.report.fail(server, f"feeds: {found}")
    settings = server.call("POST", f"/api/admin/ftp-settings?tenant_id={company.id}", sftp.settings(company.id))["id"]
    times, spent, waits = {"upload": [], "feed": []}, {"upload": [], "feed": []}, []
    # the first two are a warm-up: the first run of a feed trusts the key of its server
    for more in range(1, 2 * ROUNDS + 3):
        path = company.file(articles, rows, more)
        cpu, way = server.cpu_seconds(), ("feed", "upload")[more % 2]
        if way == "upload":
            started = time.time()
            found, _ = company.upload(path, "Stock")
        else:
            with open(path, "rb") as file:
                sftp.write(company.id, f"{more}-Stock.csv", file.read())
            asked = time.time()
            run, found = fetched(server, company, settings)
            started = moment(run["started_at"])
            waits.append(started - asked)
        os.remove(path)
        cpu = server.cpu_seconds() - cpu
        if found["status"] != "Success" or found["rows_updated"] != rows:
            bench.report.fail(server, f"feeds, {way}: {found}")
        check(bench, server, company, articles, rows, more)
        seconds = moment(found["finished_at"]) - started
        bench.add(server, "feeds", f"feeds: round {(more - 1) // 2}, {way}", seconds, "s", cpu=f"{cpu:.1f} s")
        if more > 2:
            times[way].append(seconds)
            spent[way].append(cpu)
    for point, measured in (("file", times), ("processor time of a file", spent)):
        times_more = statistics.median(measured["feed"]) / statistics.median(measured["upload"])
        bench.add(server, "feeds", f"feeds: {point} beside its upload", times_more, "x", rows_of_file=f"{rows:,}")
    bench.add(server, "feeds", "feeds: longest wait for a run by hand", max(waits), "s")


def fetched(server, company, settings):
    """Requests a run; returns it and the import of its file when both have ended."""
    path = f"/api/admin/ftp-settings/{settings}"
    asked = server.call("POST", f"{path}/run?tenant_id={company.id}", {"file": "stock"})
    while True:
        runs = server.call("GET", f"{path}/runs?tenant_id={company.id}")["data"]
        run = next(run for run in runs if run["id"] == asked["id"])
        if run["outcome"] not in ("imported", None):
            raise RuntimeError(f"a feed has imported nothing: {run}")
        if run["import"]:
            found = server.call("GET", f"/api/admin/imports/{run['import']['id']}?tenant_id={company.id}")
            if found["status"] not in ("Queued", "InProgress"):
                return run, found
        time.sleep(0.05)


def moment(text):
    return datetime.datetime.fromisoformat(text).timestamp()
