"""Attacks on two servers that share the due feeds of many tenants: each file must be imported exactly once."""

import contextlib
import itertools
import os
import time

from harness import Client, Server
from sftp_server import SETTINGS, SftpServer
from stocks import OPEN, STOCKS, check_stocks, file, places, stocks_of
from trial import Run

PRICES = "Artikelnummer;Lager;Länge [mm];Preis;Preismenge;Preiseinheit"
KINDS = {"stock": "Stock", "price": "Price"}
# Tenants with two feeds each, rows of a file, and number of kills.
TENANTS, TENANTS_IN_CI, ROWS = 100, 10, 40
KILLS, KILLS_IN_CI = 40, 4
PATIENCE, PATIENCE_IN_CI = 900, 150


def server_beside(run, has_own_lock, settings=SETTINGS, name="second"):
    """Another server over the same database and files. With a lock of its own it behaves as on another
    machine and reclaims its leases when it restarts; otherwise they run out."""
    data = run.data
    if has_own_lock:
        data = f"{run.data}-{name}"
        os.mkdir(data, 0o700)
        for entry in os.listdir(run.data):
            if entry != "worker.lock":
                os.symlink(os.path.join(run.data, entry), os.path.join(data, entry))
    return Server(run.suite.program, data, run.url, settings=settings, log=name)


def add_tenant(client, sftp, number, permissions):
    """Creates a tenant with stocks without prices, and a file of each kind on the SFTP server. Returns the
    tenant's id and the places of the stocks in both files."""

    def create(path, body, status=201):
        answer = client.call("POST", path, body)
        assert answer.status == status, answer.body
        return answer.json()

    tenant = create("/api/admin/tenants", {"company": f"Händler {number}", "short_code": f"T{number}", "permissions": permissions})["id"]
    create(f"/api/admin/warehouses?tenant_id={tenant}", {"name": "Lager", "short_code": "L", "preparation_duration_before": 60})
    known = list(itertools.islice(places(client, tenant), 2 * ROWS))
    new, priced = known[:ROWS], known[ROWS:]
    answer = client.upload(tenant, file(STOCKS, stocks_of(priced, tenant)), "before.csv", "Stock")
    assert answer.status == 201, answer.body
    sftp.write(tenant, f"chaos-{tenant}-Stock.csv", file(STOCKS, stocks_of(new, tenant)))
    prices = ((article, code, length, price_of(number, tenant), 1, "t") for number, (article, code, length) in enumerate(priced))
    sftp.write(tenant, f"chaos-{tenant}-Price.csv", file(PRICES, prices))
    return tenant, (new, priced)


def price_of(number, tenant):
    return 700 + (number * 7 + tenant) % 300


def feeds_killed(suite, database, seed):
    """Kills two servers at random that share the due feeds of many tenants."""
    if not SftpServer.program():
        return None
    run = Run(suite, database, seed, "feeds-killed", settings=SETTINGS)
    tenants, kills_wanted, patience = (TENANTS_IN_CI, KILLS_IN_CI, PATIENCE_IN_CI) if suite.short else (TENANTS, KILLS, PATIENCE)
    sftp = SftpServer(f"{run.data}-sftp")
    with contextlib.closing(run), sftp, contextlib.ExitStack() as stack:
        run.begin()
        second = server_beside(run, has_own_lock=suite.short)
        stack.enter_context(second)
        servers = [run.server, second]
        client = Client(run.server, run.token)
        permissions = client.call("GET", f"/api/admin/tenants/{run.tenant}").json()["permissions"]
        places_of = dict(add_tenant(client, sftp, number, permissions) for number in range(tenants))
        sftp.serve()
        for tenant in places_of:
            answer = client.call("POST", f"/api/admin/ftp-settings?tenant_id={tenant}", sftp.settings(tenant))
            assert answer.status == 201, answer.body
        while owed(run, database):
            time.sleep(0.2)
        due = database.ask(None, run.url, "UPDATE schedule SET due_at = now() - interval '1 minute' RETURNING id")
        assert len(due) == 2 * tenants, due

        began, kills, again = time.monotonic(), 0, 0
        while owed(run, database) and time.monotonic() - began < patience:
            time.sleep(run.random.uniform(0.2, 1.5 if suite.short else 3))
            # no more kills during an import that is about to be given up
            if kills < kills_wanted and not is_import_at_risk(run, database):
                victim = run.random.choice(servers)
                victim.kill()
                # the other one works alone for a while
                time.sleep(run.random.uniform(0, 1))
                victim.start()
                kills += 1
            again += run_again(run, database)
        took = time.monotonic() - began
        run.saw.append(f"{2 * tenants} feeds took {took:.1f} s with {kills} kills, {again} of them were run again by hand")
        run.expect(took < patience, f"after {took:.0f} s feeds are still due: {owed(run, database)}")
        run.expect(kills > 1, f"all was done after {kills} kills")
        for server in servers:
            run.expect(server.end() == 0, "a server did not end well")
        check_feeds(run, database, places_of)
    return run


def owed(run, database):
    """Number of feeds that are due soon or running, and of imports that have not ended."""
    sql = (
        "SELECT (SELECT count(*) FROM schedule WHERE due_at < now() + interval '2 hours' OR lease_owner IS NOT NULL) "
        f"+ (SELECT count(*) FROM import WHERE status IN {OPEN})"
    )
    return int(database.ask(None, run.url, sql)[0])


def is_import_at_risk(run, database):
    """True if an import would be given up after one or two more processes that die during it."""
    return database.ask(None, run.url, "SELECT id FROM import WHERE status = 'InProgress' AND attempt >= 2") != []


def run_again(run, database):
    """Requests runs that were given up because three processes have died during them. Returns their number."""
    sql = "SELECT tenant_id, subject_id, kind FROM schedule WHERE failure = 'interrupted' AND due_at > now() + interval '2 hours'"
    given_up = [line.split("\t") for line in database.ask(None, run.url, sql)]
    for tenant, settings, kind in given_up:
        path = f"/api/admin/ftp-settings/{settings}/run?tenant_id={tenant}"
        answer = Client(run.server, run.token).call("POST", path, {"file": kind.removeprefix("ftp_")})
        run.expect(answer.status == 202, f"a run by hand is answered {answer.status}: {answer.body}")
    return len(given_up)


def check_feeds(run, database, places_of):
    """Checks that each file has one import, one run and one record, and that its rows were written once."""
    per_feed = {
        "imports": ("import", "type", "feed_id IS NOT NULL AND status = 'Success'", KINDS.values()),
        "imports, whatever became of them,": ("import", "type", "feed_id IS NOT NULL", KINDS.values()),
        "runs that have imported": ("feed_run", "kind", "outcome = 'imported' AND import_id IS NOT NULL", KINDS),
        "records of files": ("feed_file", "kind", "is_handled", KINDS),
    }
    for what, (table, column, condition, kinds) in per_feed.items():
        sql = f"SELECT tenant_id, {column}, count(*) FROM {table} WHERE {condition} GROUP BY tenant_id, {column}"
        found, wanted = set(database.ask(None, run.url, sql)), {f"{tenant}\t{kind}\t1" for tenant in places_of for kind in kinds}
        run.expect(found == wanted, f"{what}: {sorted(found - wanted)[:4]} instead of {sorted(wanted - found)[:4]}")
    # a run that was given up is the only failure that a killed process may leave
    sql = "SELECT coalesce(outcome, 'open'), failure, count(*) FROM feed_run WHERE outcome IS DISTINCT FROM 'imported' GROUP BY 1, 2"
    others = [line for line in database.ask(None, run.url, sql) if not is_expected(line)]
    run.expect(not others, f"other runs: {others[:4]}")
    for tenant, (new, priced) in places_of.items():
        check_stocks(run, database, tenant, new)
        check_prices(run, database, tenant, priced)


def is_expected(line):
    outcome, failure, _ = line.split("\t")
    return outcome == "nothing_new" or (outcome == "failed" and "feed_run_interrupted" in failure)


def check_prices(run, database, tenant, priced):
    """Checks that the prices of a tenant are as in their file, each written once after its stock."""
    wanted = sorted(f"{length * 10**6}\t{price_of(number, tenant) * 10**6}\t2" for number, (_, _, length) in enumerate(priced))
    lengths = ", ".join({str(length * 10**6) for _, _, length in priced})
    sql = f"SELECT length, external_price, price_version FROM stock WHERE tenant_id = {tenant} AND external_price IS NOT NULL AND length IN ({lengths})"
    found = sorted(database.ask(None, run.url, sql))
    run.expect(wanted == found, f"tenant {tenant}: prices {sorted(set(found) - set(wanted))[:2]} instead of {sorted(set(wanted) - set(found))[:2]}")
