"""Attacks on a large import of stocks, whose result must be the same as that of an undisturbed import."""

import contextlib
import itertools
import os
import random
import shutil
import signal
import threading
import time

from harness import Client, Server, fill, small_disk, verify
from trial import Run

STOCKS = "Artikelnummer;Externe Artikelnummer;Bezeichnung;Lager;Länge [mm];Menge;Mengeneinheit;Lieferzeit"
PRICES = "Artikelnummer;Externe Artikelnummer;Bezeichnung;Lager;Länge [mm];Preis;Preismenge;Preiseinheit"
ATTACKED = {"chaos-stocks.csv": "Stock", "chaos-prices.csv": "Price"}
# Rows that an import commits together; its progress is visible only between batches.
BATCH = 1_000
OPEN = ("Queued", "InProgress")

OF_IMPORT = "JOIN import i ON i.tenant_id = {t}.tenant_id AND i.id = {t}.import_id AND i.upload_file LIKE 'chaos-%'"
# Rows of imports, each by itself.
ROWS = (
    "(SELECT tenant_id, import_id, line, outcome, record, record_id, record_name, before, after, warnings FROM import_row WHERE packed IS NULL "
    "UNION ALL SELECT p.tenant_id, p.import_id, p.line + CAST(single.key AS bigint), p.outcome, p.record, "
    "CASE WHEN p.outcome = 'unchanged' THEN CAST(single.value ->> 0 AS bigint) END, single.value ->> 1, NULL, NULL, NULL "
    "FROM import_row p JOIN json_each(p.packed) AS single ON true WHERE p.packed IS NOT NULL)"
)
PRICE = "{s}.{side}_price, {s}.{side}_price_quantity, {s}.{side}_price_unit, {s}.{side}_bulk_prices"
# Queries that are compared, without ids and times. A version counts the writes of a row: one that was written
# twice differs.
CONTENT = {
    "stocks and prices": (
        "SELECT a.article_number, w.short_code, s.length, s.width, s.height, s.name, s.availability_type, s.quantity, s.lead_time, "
        f"{PRICE.format(s='s', side='internal')}, {PRICE.format(s='s', side='external')}, s.version, s.price_version "
        "FROM stock s JOIN article a ON a.id = s.article_id JOIN warehouse w ON w.tenant_id = s.tenant_id AND w.id = s.warehouse_id "
        "WHERE s.tenant_id = {tenant}"
    ),
    "rows of imports": (
        "SELECT i.upload_file, r.line, r.outcome, r.record, r.record_name, s.name, r.before, r.after, r.warnings FROM " + ROWS + " r "
        + OF_IMPORT.format(t="r") + " LEFT JOIN stock s ON s.tenant_id = r.tenant_id AND s.id = r.record_id"
    ),
    "refused rows": (
        "SELECT i.upload_file, e.line, e.cells, e.messages FROM import_error e "
        "JOIN import i ON i.id = e.import_id AND i.upload_file LIKE 'chaos-%'"
    ),
    "held prices": (
        "SELECT s.name, h.name, h.wanted, h.mended, h.suspicions, i.upload_file, h.line, h.version FROM held_price h "
        + OF_IMPORT.format(t="h") + " JOIN stock s ON s.tenant_id = h.tenant_id AND s.id = h.stock_id"
    ),
    "unmatched numbers": (
        "SELECT n.kind, n.number, n.designation, n.state, n.times, i.upload_file FROM unresolved_number n " + OF_IMPORT.format(t="n")
    ),
    "rows that wait for a matching": (
        "SELECT n.kind, n.number, i.upload_file, r.line FROM unresolved_row r " + OF_IMPORT.format(t="r")
        + " JOIN unresolved_number n ON n.tenant_id = r.tenant_id AND n.id = r.unresolved_number_id"
    ),
    "imports": (
        "SELECT upload_file, type, status, status_message, checkpoint, rows_total, rows_done, rows_created, rows_updated, "
        "rows_unchanged, rows_refused, rows_held, rows_unresolved, rows_removed, rows_skipped, rows_kept, lease_owner "
        "FROM import WHERE upload_file LIKE 'chaos-%'"
    ),
    # one entry for the end of each import
    "history": (
        "SELECT record_name, action, changes FROM audit_entry WHERE record = 'import' AND action = 'finished' AND record_name LIKE 'chaos-%'"
    ),
}  # fmt: skip


def places(client, tenant):
    """Endless places of stocks: articles cut to length, warehouses, and new remnants."""
    answer = client.call("GET", "/api/admin/articles?filter[article_number]=-12.1&page[size]=60").json()["data"]
    articles = [row["article_number"] for row in answer if row["article_number"].endswith("-12.1")]
    warehouses = client.call("GET", f"/api/admin/warehouses?tenant_id={tenant}").json()["data"]
    codes = [row["short_code"] for row in warehouses]
    assert articles and codes, (articles, codes)
    for length in range(100, 12_100):
        for code, article in itertools.product(codes, articles):
            yield article, code, length


def file(head, lines):
    return "\r\n".join([head, *(";".join(map(str, line)) for line in lines)]).encode()


class Undisturbed:
    """Results of an undisturbed import of stocks, and of one of prices beside it; computed once for each
    database."""

    def __init__(self, suite, database):
        self.folder = os.path.join(suite.folder, f"{database.name}-undisturbed")
        for folder in (self.folder, os.path.join(suite.folder, f"{database.name}-prepared")):
            # left by an interrupted attempt
            shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(self.folder)
        run = Run(suite, database, suite.seed, f"base-{time.monotonic_ns()}")
        with contextlib.closing(run):
            self.prepare(suite, database, run)

    def prepare(self, suite, database, run):
        draw, rows = random.Random(suite.seed), suite.rows
        run.begin()
        client = Client(run.server, run.token)
        known = list(itertools.islice(places(client, run.tenant), rows * 11 // 10))
        base, updated = known[: rows // 10], known[rows // 20 :]
        for name, type, content in [
            ("base-stocks.csv", "Stock", file(STOCKS, ((article, "", "", code, length, 5, "m", "") for article, code, length in base))),
            ("base-prices.csv", "Price", file(PRICES, (
                (article, "", "", code, length, 700 + number % 300, 1, "t") for number, (article, code, length) in enumerate(base)
            ))),
        ]:  # fmt: skip
            number = client.upload(run.tenant, content, name, type).json()["id"]
            found = finished(run.server, run.tenant, [number], 600)[number]
            assert found["status"] == "Success", found
        self.files = {
            "chaos-stocks.csv": file(STOCKS, stock_rows(updated, rows, draw)),
            "chaos-prices.csv": file(PRICES, price_rows(base, draw)),
        }
        run.server.end()
        self.template = database.keep(run.data, run.url, f"{database.name}-prepared")
        run.server.start()
        began = time.monotonic()
        numbers = self.upload(run)
        found = finished(run.server, run.tenant, numbers, 1800)
        self.seconds = time.monotonic() - began
        for import_ in found.values():
            assert import_["status"] == "PartialSuccess" and import_["rows_done"] == import_["rows_total"], import_
        run.server.end()
        self.size = sum(os.path.getsize(os.path.join(run.data, name)) for name in os.listdir(run.data) if "stalhof.db" in name)
        if run.url:
            self.size = int(database.ask(None, run.url, "SELECT pg_database_size(current_database())")[0])
        self.tables = {name: self.keep(database, run, name, self.folder) for name in CONTENT}
        listed = ", ".join(f"{count:,} {name}" for name, count in self.tables.items())
        print(f"undisturbed on {database.name}: {self.seconds:.1f} s; {listed}", flush=True)

    def upload(self, run):
        """Uploads both files; returns the ids of the imports."""
        client = Client(run.server, run.token)
        numbers = []
        for name, type in ATTACKED.items():
            answer = client.upload(run.tenant, self.files[name], name, type)
            assert answer.status == 201, answer.body
            numbers.append(answer.json()["id"])
        return numbers

    def keep(self, database, run, name, folder):
        """Writes the rows of a query to a file, sorted; returns their number."""
        lines = sorted(database.ask(run.data, run.url, CONTENT[name].replace("{tenant}", str(run.tenant))))
        with open(os.path.join(folder, name), "w", encoding="utf-8") as kept:
            kept.writelines(f"{line}\n" for line in lines)
        return len(lines)

    def compare(self, database, run):
        """Ends the server and reports differences."""
        run.expect(run.server.end() == 0, "the server did not end well")
        folder = os.path.join(os.path.dirname(self.folder), f"{os.path.basename(run.data)}-compared")
        os.mkdir(folder)
        for name in CONTENT:
            self.keep(database, run, name, folder)
            with open(os.path.join(self.folder, name), encoding="utf-8") as expected, open(os.path.join(folder, name), encoding="utf-8") as found:
                expected, found = expected.readlines(), found.readlines()
            if expected != found:
                missing, more = set(expected) - set(found), set(found) - set(expected)
                doubled = len(found) - len(set(found))
                run.problems.append(
                    f"{name}: {len(found):,} instead of {len(expected):,}, {len(missing):,} missing, {len(more):,} unknown, {doubled:,} doubled; "
                    f"missing {sorted(missing)[:2]}, unknown {sorted(more)[:2]}"
                )
        run.problems += database.check(run.data, run.url)
        if not run.problems:
            shutil.rmtree(folder)


def stock_rows(known, rows, draw):
    """Rows that are mostly valid and partly known already; in each hundred a few are refused, unmatched or
    duplicated."""
    for number in range(rows):
        article, code, length = known[number]
        quantity, lead_time = f"{1 + number % 997},{number % 10}", draw.choice(["", "", "5"])
        kind = draw.random()
        if kind < 0.003:
            quantity = -1
        elif kind < 0.006:
            code = "NIRGENDS"
        elif kind < 0.009:
            article = f"UNBEKANNT-{number}"
        elif kind < 0.02:
            yield "", f"EXT-{draw.randrange(300)}", f"Träger {number}", code, length, quantity, "m", lead_time
            continue
        elif kind < 0.025 and number:
            article, code, length = known[draw.randrange(number)]
        yield article, "", "", code, length, quantity, "m", lead_time


def price_rows(base, draw):
    """Rows with some prices ten times too high, and some for stocks that do not exist."""
    for number, (article, code, length) in enumerate(base):
        price, unit = 700 + number % 300, "t"
        kind = draw.random()
        if kind < 0.03:
            price *= 10
        elif kind < 0.04:
            unit = "kWh"
        elif kind < 0.9:
            price += 7
        external = ""
        if kind > 0.98:
            article, external = "", f"PREIS-{draw.randrange(50)}"
        yield article, external, "", code, length, price, 1, unit


def found_import(client, tenant, number):
    with contextlib.suppress(OSError, ValueError):
        answer = client.call("GET", f"/api/admin/imports/{number}?tenant_id={tenant}")
        if answer.status == 200:
            return answer.json()
    return None


def finished(server, tenant, numbers, seconds):
    """Waits for all imports to end and returns them."""
    client = Client(server)
    client.sign_in_again()
    began, ended = time.monotonic(), {}
    while len(ended) < len(numbers):
        for number in numbers:
            found = found_import(client, tenant, number)
            if found and found["status"] not in OPEN:
                ended[number] = found
            elif time.monotonic() - began > seconds:
                raise RuntimeError(f"import {number} has not ended after {seconds} s: {found}")
        time.sleep(0.1)
    return ended


def settled(run, undisturbed, numbers, patience=1800):
    """Waits for the imports to end without further faults, and compares the result with the undisturbed one."""
    began = time.monotonic()
    for found in finished(run.server, run.tenant, numbers, patience).values():
        run.expect(found["status"] == "PartialSuccess", f"the import ended as {found}")
    run.saw.append(f"ended after {time.monotonic() - began:.1f} s more")
    undisturbed.compare(run.database, run)


def stocks_killed(suite, database, seed):
    """Kills the server repeatedly, at random moments of an import of stocks and of its own start."""
    undisturbed = suite.undisturbed(database)
    run = Run(suite, database, seed, "stocks-killed", template=undisturbed.template)
    with contextlib.closing(run):
        run.begin()
        numbers = undisturbed.upload(run)
        client = Client(run.server, run.token, timeout=2)
        done, stuck = dict.fromkeys(numbers, 0), dict.fromkeys(numbers, 0)
        moments, early, ended = [], 0, {}
        # long enough to leave most of the import for the remaining kills
        pause = 1.4 * undisturbed.seconds / suite.kills

        def rows_done():
            return sum(done.values()) + sum(ended.values())

        def look():
            """Updates the progress of the imports; those that have ended are left out."""
            for number in list(done):
                found = found_import(client, run.tenant, number)
                if found and found["rows_done"] > done[number]:
                    done[number], stuck[number] = found["rows_done"], 0
                if found and found["status"] not in OPEN:
                    ended[number] = done.pop(number)

        while len(moments) < suite.kills and done:
            # one in five during the start of the server; the others so that rows are left for all, however
            # fast the import is
            starting = run.random.random() < 0.2
            until = time.monotonic() + run.random.uniform(0, 0.2 if starting else 2 * pause)
            left = suite.rows * 11 // 10 - rows_done()
            # leaves a batch for each remaining kill, and for this one
            kills_left = suite.kills - len(moments)
            enough = rows_done() + min(run.random.uniform(0, 2) * left / (kills_left + 1), left - kills_left * BATCH)
            while time.monotonic() < until and rows_done() < enough:
                time.sleep(min(0.05, max(0, until - time.monotonic())))
                if not starting and run.server.ready() == 204:
                    look()
            if max(stuck.values()) >= 2:
                # an import that has brought a server down three times before its first batch would be given
                # up
                run.server.wait_until_ready(30)
                began = time.monotonic()
                while any(stuck[number] >= 2 for number in done) and time.monotonic() - began < 300:
                    look()
                    time.sleep(0.02)
            is_ready = run.server.ready() == 204
            if is_ready:
                look()
            if not done:
                break
            early += not is_ready
            run.server.kill()
            moments.append(rows_done())
            for number in done:
                stuck[number] += 1
            run.server.start(wait=False)
        run.kills = len(moments)
        run.saw.append(f"killed {len(moments)} times, {early} of them before the server was ready, at rows {', '.join(f'{moment:,}' for moment in moments)}")
        run.expect(len(moments) == suite.kills, f"the import ended after {len(moments)} kills")
        run.server.wait_until_ready(30)
        settled(run, undisturbed, numbers)
    return run


def stocks_gone(suite, database, seed):
    """Stops or freezes PostgreSQL for 20 seconds in the middle of an import of stocks and of other work."""
    undisturbed = suite.undisturbed(database)
    run = Run(suite, database, seed, "stocks-gone", template=undisturbed.template)
    how = ["immediate", "frozen", "fast"][seed % 3]
    with contextlib.closing(run):
        run.begin()
        numbers = undisturbed.upload(run)
        reading = Client(run.server, run.token)
        with run.load(writers=2):
            time.sleep(run.random.uniform(0.2, 0.6) * undisturbed.seconds)
            before = [found_import(reading, run.tenant, number)["rows_done"] for number in numbers]
            began = time.monotonic()
            stopped = database.freeze() if how == "frozen" else database.stop(how)
            try:
                began = time.monotonic()
                while run.server.ready() == 204 and time.monotonic() - began < 10:
                    time.sleep(0.05)
                noticed = time.monotonic() - began
                run.expect(noticed <= 3, f"/readyz has turned after {noticed:.1f} s")
                slowest = 0
                while time.monotonic() - began < 20:
                    answer = reading.call("GET", "/api/admin/articles?page[size]=10")
                    run.expect(answer.status == 503 and "Retry-After" in answer.headers, f"answered {answer.status} {answer.body[:200]}")
                    slowest = max(slowest, answer.seconds)
                    time.sleep(0.2)
                run.expect(slowest < 5, f"answered after {slowest:.1f} s")
            finally:
                if how == "frozen":
                    database.thaw(stopped)
                else:
                    database.start()
            back = run.server.wait_until_ready(30)
            run.expect(back <= 5, f"ready after {back:.1f} s")
            goes_on = time.monotonic()
            while all((found_import(reading, run.tenant, number) or {}).get("rows_done", 0) <= rows for number, rows in zip(numbers, before, strict=True)):
                run.expect(time.monotonic() - goes_on < 60, "the imports do not go on")
                if run.problems:
                    break
                time.sleep(0.05)
            goes_on = time.monotonic() - goes_on
            time.sleep(1)
        run.saw.append(
            f"{how} at {sum(before):,} rows; /readyz turned after {noticed:.1f} s, calls were answered 503 within {slowest:.1f} s, "
            f"ready {back:.1f} s after it was back, the import went on {goes_on:.1f} s later; the slowest call took {run.ledger.slowest:.1f} s"
        )
        run.problems += run.ledger.unexpected + verify(run.server, run.ledger, seed, run.tenant)
        settled(run, undisturbed, numbers)
    return run


def stocks_disk_full(suite, database, seed):
    """Fills the disk of the database to the last byte in the middle of an import of stocks, and frees it
    again."""
    undisturbed = suite.undisturbed(database)
    with small_disk(int(undisturbed.size * 1.6 / 2**20) + 96) as place, contextlib.ExitStack() as stack:
        if not place:
            return None
        options = {"into": place}
        if database.name == "PostgreSQL":
            options = {"space": stack.enter_context(database.space(place))}
        run = Run(suite, database, seed, "stocks-disk-full", template=undisturbed.template, **options)
        # before the disk is unmounted
        stack.callback(database.drop, run.data, run.url)
        with contextlib.closing(run):
            run.begin()
            numbers = undisturbed.upload(run)
            reading = Client(run.server, run.token)
            with run.load(writers=2):
                time.sleep(run.random.uniform(0.2, 0.6) * undisturbed.seconds)
                filler = fill(place)
                began, answers = time.monotonic(), {}
                while time.monotonic() - began < 12:
                    fill(place)
                    for what, answer in [
                        ("list", reading.call("GET", "/api/admin/articles?page[size]=10")),
                        ("change", reading.call("POST", "/api/admin/materials", {"name": f"voll-{seed}-{time.monotonic()}"})),
                        ("readyz", reading.call("GET", "/readyz")),
                    ]:
                        answers[what, answer.status] = answers.get((what, answer.status), 0) + 1
                        run.expect(answer.status in (200, 201, 204, 503, 507), f"{what} is answered {answer.status}")
                    time.sleep(0.1)
                run.expect(answers.get(("list", 200), 0) > 0, f"nothing can be read while the disk is full: {answers}")
                states = [found_import(reading, run.tenant, number) or {} for number in numbers]
                at = sum(state.get("rows_done", 0) for state in states)
                run.expect(all(state.get("status") not in ("Failed", "Success") for state in states), f"an import has ended: {states}")
                os.remove(filler)
                run.ledger.healed = run.server.wait_until_ready(30)
                time.sleep(1)
            listed = ", ".join(f"{what} {status}: {count}" for (what, status), count in sorted(answers.items()))
            run.saw.append(f"full for 12 s at {at:,} rows ({listed}); ready {run.ledger.healed:.1f} s after it was freed")
            run.problems += run.ledger.unexpected + verify(run.server, run.ledger, seed, run.tenant)
            settled(run, undisturbed, numbers)
    return run


# Tenants with a file each, besides one with much more.
TENANTS = 50


def two_servers(suite, database, seed):
    """Two servers share the imports of many tenants in turns; one of them is killed, or freezes beyond its
    leases and comes back."""
    run = Run(suite, database, seed, "two-servers")
    tenants = TENANTS if not suite.short else 8
    rows = max(200, suite.rows // 100)
    silent = seed % 2 == 1 and not suite.short
    with contextlib.closing(run):
        run.begin()
        client = Client(run.server, run.token)
        permissions = client.call("GET", f"/api/admin/tenants/{run.tenant}").json()["permissions"]
        of = {}
        for number in range(tenants):
            made = client.call("POST", "/api/admin/tenants", {"company": f"Händler {number}", "short_code": f"T{number}", "permissions": permissions})
            assert made.status == 201, made.body
            tenant = made.json()["id"]
            warehouse = {"name": "Lager", "short_code": "L", "preparation_duration_before": 60}
            made = client.call("POST", f"/api/admin/warehouses?tenant_id={tenant}", warehouse)
            assert made.status == 201, made.body
            of[tenant] = list(itertools.islice(places(client, tenant), rows))
        large = run.tenant
        of_large = list(itertools.islice(places(client, large), suite.rows // 2))
        second = Server(suite.program, run.data, run.url, log="second")
        second.start()
        stack = contextlib.ExitStack()
        stack.callback(lambda: second.process.poll() is None and second.kill())
        with stack:
            uploads = [(large, "Stock", of_large)]
            # the large tenant has one import of each type before the others upload theirs
            uploads += [(large, "Article", None), (large, "Matching", None)]
            uploads += [(tenant, "Stock", known) for tenant, known in of.items()]
            owners, numbers = {}, {}
            lock = threading.Lock()

            def upload(part):
                for index, (tenant, type, known) in part:
                    content = file(STOCKS, stocks_of(known, tenant)) if known else small(type, tenant)
                    answer = Client([run.server, second][index % 2], run.token).upload(tenant, content, f"chaos-{tenant}-{type}.csv", type)
                    assert answer.status == 201, answer.body
                    with lock:
                        numbers[answer.json()["id"]] = tenant

            numbered = list(enumerate(uploads))
            began = time.monotonic()
            upload(numbered[:3])
            threads = [threading.Thread(target=upload, args=(numbered[3 + start :: 8],)) for start in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            uploaded = time.monotonic() - began
            run.expect(len(numbers) == len(uploads), f"{len(numbers)} of {len(uploads)} files were taken")

            def watch():
                """Records the imports of each server; returns the lease owners of all open imports, an empty
                name for waiting ones."""
                held_by = []
                for line in database.ask(None, run.url, "SELECT id, status, coalesce(lease_owner, '') FROM import WHERE upload_file LIKE 'chaos-%'"):
                    number, status, owner = line.split("\t")
                    if status in OPEN:
                        held_by.append(owner if status == "InProgress" else "")
                    if status == "InProgress" and owner:
                        owners.setdefault(owner, set()).add(int(number))
                return held_by

            while len(watch()) > len(uploads) * run.random.uniform(0.4, 0.8):
                time.sleep(0.02)
            # the server that holds the lock of the folder dies: its successor learns whose leases are dead
            with open(os.path.join(run.data, "worker.lock"), encoding="ascii") as lock_of_folder:
                first = lock_of_folder.read()
            victim = second if silent else run.server
            at = time.monotonic()
            if silent:
                victim.process.send_signal(signal.SIGSTOP)
            else:
                victim.kill()
            held_by = watch()
            left = after_a_moment = len(held_by)
            # the victim's imports become free when its leases expire, or when its successor starts
            free = [owner for owner in held_by if not owner or (owner == first) == silent]
            while time.monotonic() - at < 10 and after_a_moment >= left and free:
                time.sleep(0.1)
                after_a_moment = len(watch())
            went_on = time.monotonic() - at
            run.expect(not free or after_a_moment < left, f"the other server has ended none of {len(free)} imports within {went_on:.1f} s")
            if suite.short:
                victim.start()
            began_to_wait = time.monotonic()
            while watch():
                run.expect(time.monotonic() - began_to_wait < 600, "the imports do not come to an end")
                if time.monotonic() - began_to_wait > 600:
                    break
                time.sleep(0.2)
            took = time.monotonic() - at
            if silent:
                victim.process.send_signal(signal.SIGCONT)
                time.sleep(3)
            run.expect(len(owners) >= 2, f"only {len(owners)} servers have worked")
            run.saw.append(
                f"{len(uploads)} imports of {tenants + 1} tenants uploaded within {uploaded:.1f} s; the servers worked on "
                f"{', '.join(str(len(held)) for held in owners.values())}; one {'fell silent' if silent else 'was killed'} with {left} left, "
                f"{len(free)} of them not its own; the other ended the next after {went_on:.1f} s and all after {took:.1f} s"
            )
            check_turns(run, database)
            for server in (run.server, second):
                if server.process.poll() is None:
                    server.end()
        for tenant, known in [(large, of_large), *of.items()]:
            check_stocks(run, database, tenant, known)
        ended = database.ask(None, run.url, "SELECT status, count(*) FROM import WHERE upload_file LIKE 'chaos-%' GROUP BY status")
        run.expect(ended == [f"Success\t{len(uploads)}"], f"the imports have ended as {ended}")
        ends = database.ask(None, run.url, "SELECT count(*), count(DISTINCT record_id) FROM audit_entry WHERE record = 'import' AND action = 'finished' AND record_name LIKE 'chaos-%'")
        run.expect(ends == [f"{len(uploads)}\t{len(uploads)}"], f"the history has {ends} ends")
    return run


def stocks_of(known, tenant, first=0):
    for number, (article, code, length) in enumerate(known, first):
        yield article, "", "", code, length, quantity_of(number, tenant), "m", ""


def quantity_of(number, tenant):
    return 1 + (number * 7 + tenant) % 9973


def small(type, tenant):
    if type == "Article":
        return f"Artikeltyp;Werkstoff;Breite [mm];Dicke [mm];Länge [m]\r\nFlachstahl;S235JR;{2000 + tenant};77;6".encode()
    return f"Artikelnummer;Externe Artikelnummer\r\nHEB-200-S235JR-12.1;FREMD-{tenant}".encode()


def check_stocks(run, database, tenant, known):
    """Checks that a tenant's stocks are as in their file, each row written once."""
    wanted = sorted(
        f"{article}\t{code}\t{length * 10**6}\t{quantity_of(number, tenant) * 10**6}\t1"
        for number, (article, code, length) in enumerate(known)
    )
    sql = (
        "SELECT a.article_number, w.short_code, s.length, s.quantity, s.version FROM stock s JOIN article a ON a.id = s.article_id "
        f"JOIN warehouse w ON w.tenant_id = s.tenant_id AND w.id = s.warehouse_id WHERE s.tenant_id = {tenant}"
    )
    # the demo has stocks of its own
    named = {line.rsplit("\t", 2)[0] for line in wanted}
    found = sorted(line for line in database.ask(None, run.url, sql) if line.rsplit("\t", 2)[0] in named)
    missing, more = set(wanted) - set(found), set(found) - set(wanted)
    run.expect(wanted == found, f"tenant {tenant}: {len(missing)} stocks are missing, {len(more)} are others: {sorted(missing)[:2]} {sorted(more)[:2]}")
    rows = database.ask(None, run.url, (
        "SELECT count(*), count(DISTINCT r.record_id), count(DISTINCT (r.import_id, r.line)) FROM import_row r JOIN import i ON i.id = r.import_id "
        f"AND i.upload_file = 'chaos-{tenant}-Stock.csv' WHERE r.tenant_id = {tenant} AND r.outcome = 'created'"
    ))  # fmt: skip
    run.expect(rows == [f"{len(known)}\t{len(known)}\t{len(known)}"], f"tenant {tenant}: {len(known)} rows have the results {rows}")


def check_turns(run, database):
    """Checks that no tenant got a second slot while another one waited for its first."""
    sql = (
        "SELECT tenant_id, extract(epoch FROM created_at), extract(epoch FROM started_at), extract(epoch FROM finished_at) "
        "FROM import WHERE upload_file LIKE 'chaos-%'"
    )
    imports = [(int(tenant), *map(float, times)) for tenant, *times in (line.split("\t") for line in database.ask(None, run.url, sql))]
    # tolerance: clocks are read a moment before the row is
    moment = 0.5
    jumped = 0
    for tenant, _, started, _ in imports:
        if not any(other == tenant and begun < started < ended for other, _, begun, ended in imports):
            continue
        for other, created, begun, _ in imports:
            waits = other != tenant and created < started - moment and begun > started + moment
            runs = any(third == other and first < started < last for third, _, first, last in imports)
            jumped += waits and not runs
    run.expect(not jumped, f"{jumped} times a tenant was given a second place while another one waited for a first")
    waited = sorted(begun - created for _, created, begun, _ in imports)
    run.saw.append(f"the longest wait for a turn was {waited[-1]:.1f} s, the median {waited[len(waited) // 2]:.1f} s")
