"""Imports into a price list while the server is killed repeatedly: the list must have all of the file or
nothing, at every moment."""

import contextlib
import re
import time

from harness import Client, articles, every
from stocks import OPEN, ROWS, finished, found_import
from trial import Run

OLD, NEW = 700, 705
HEAD = "Artikelnummer;Preis;Preismenge;Preiseinheit"

# Content that must be the same in the list filled under attack and in the other one.
ALIKE = {
    "prices": "SELECT article_id, name, price, price_quantity, price_unit, bulk_prices, held, version FROM price_list_entry WHERE price_list_id = {list}",
    "rows of the import": (
        "SELECT r.line, r.outcome, r.record, r.record_name, r.before, r.after, e.name FROM " + ROWS + " r "
        "LEFT JOIN price_list_entry e ON e.id = r.record_id AND e.price_list_id = {list} WHERE r.import_id = {number}"
    ),
    "the import": (
        "SELECT status, status_message, checkpoint, rows_total, rows_done, rows_created, rows_updated, rows_unchanged, rows_refused, "
        "rows_held, rows_removed, rows_skipped, lease_owner FROM import WHERE id = {number}"
    ),
    "its end in the history": "SELECT action, changes FROM audit_entry WHERE record = 'import' AND action = 'finished' AND record_id = {number}",
    "the list": "SELECT price_count FROM price_list WHERE id = {list}",
}


def priced(numbers, price):
    return "\r\n".join([HEAD, *(f"{number};{price};1;t" for number in numbers)]).encode()


def lists_killed(suite, database, seed):
    """Kills the server at random moments of an import into a price list, the last two times while it takes
    effect."""
    rows = max(5_000, suite.rows // 10)
    run = Run(suite, database, seed, "lists-killed")
    with contextlib.closing(run):
        run.begin()
        client = Client(run.server, run.token)
        made = client.upload(run.tenant, articles(rows, seed)).json()["id"]
        finished(run.server, run.tenant, [made], 600)
        numbers = [row["article_number"] for row in every(client, f"/api/admin/articles?filter[import_id]={made}")]
        run.expect(len(numbers) == rows, f"{len(numbers)} of {rows} articles")

        def fill(list_, content):
            answer = client.upload(run.tenant, content, "preise.csv", "PriceList", price_list_id=list_)
            assert answer.status == 201, answer.body
            return answer.json()["id"]

        def prepared(name):
            list_ = client.call("POST", "/api/admin/price-lists", {
                "name": name, "owner_tenant_id": run.tenant, "type": "sales", "scope": "own", "valid_from": "2098-01-01T00:00:00Z", "limited": False,
            })  # fmt: skip
            assert list_.status == 201, list_.body
            list_ = list_.json()["id"]
            finished(run.server, run.tenant, [fill(list_, priced(numbers[: rows // 2], OLD))], 600)
            return list_

        calm, attacked = prepared("In Ruhe"), prepared("Unter Beschuss")
        began = time.monotonic()
        undisturbed, read = fill(calm, priced(numbers, NEW)), None
        while (found := found_import(client, run.tenant, undisturbed)) is None or found["status"] in OPEN:
            if found and found["rows_done"] == rows:
                read = read or time.monotonic()
            time.sleep(0.01)
        switch = time.monotonic() - (read or time.monotonic())
        whole = time.monotonic() - began

        number = fill(attacked, priced(numbers, NEW))
        moments, states = [], []
        while len(moments) < suite.kills:
            late = len(moments) >= suite.kills - 2
            enough = rows if late else min(rows - 1_000, int(rows * (len(moments) + run.random.random()) / suite.kills))
            found, began = None, time.monotonic()
            while not (found and (found["rows_done"] >= enough or found["status"] not in OPEN)):
                run.expect(time.monotonic() - began < 300, f"the import does not go on: {found}")
                if run.problems:
                    return run
                time.sleep(0.01)
                found = found_import(client, run.tenant, number)
            if found["status"] not in OPEN:
                break
            if late:
                time.sleep(run.random.uniform(0, max(switch, 0.05)))
            run.server.kill()
            moments.append(found["rows_done"])
            states.append(state(run, database, attacked))
            run.expect(states[-1] in ((rows // 2, 0), (0, rows)), f"after a kill at row {moments[-1]:,} the list has (old, new) {states[-1]}")
            run.server.start()
        run.kills = len(moments)
        early = states.count((rows // 2, 0))
        run.saw.append(
            f"undisturbed {whole:.1f} s, of which {switch:.2f} s to become effective; killed {len(moments)} times at rows "
            f"{', '.join(f'{moment:,}' for moment in moments)}: {early} times the list had nothing of it, {len(states) - early} times all"
        )
        run.expect(len(moments) >= suite.kills - 1, f"the import ended after {len(moments)} kills")
        found = finished(run.server, run.tenant, [number], 600)[number]
        run.expect((found["status"], found["rows_created"], found["rows_updated"]) == ("Success", rows - rows // 2, rows // 2), f"ended as {found}")
        run.expect(run.server.end() == 0, "the server did not end well")
        for name, sql in ALIKE.items():
            calm_one, other = (
                sorted(
                    # rows contain the id of their list
                    re.sub(rf'("price_list_id": ?){list_}\b', r"\1-", line)
                    for line in database.ask(run.data, run.url, sql.format(list=list_, number=import_))
                )
                for list_, import_ in ((calm, undisturbed), (attacked, number))
            )
            missing, more = set(calm_one) - set(other), set(other) - set(calm_one)
            run.expect(calm_one == other, f"{name}: {len(missing)} missing, {len(more)} unknown; {sorted(missing)[:2]}, {sorted(more)[:2]}")
        aside = database.ask(run.data, run.url, "SELECT count(*) FROM price_list_stage")
        run.expect(aside == ["0"], f"{aside} prices are still kept aside")
        run.problems += database.check(run.data, run.url)
    return run


def state(run, database, list_):
    """Numbers of old and of new prices in the list; only while no server runs."""
    sql = f"SELECT price, count(*) FROM price_list_entry WHERE price_list_id = {list_} GROUP BY price"
    found = {int(price): int(count) for price, count in (line.split("\t") for line in database.ask(run.data, run.url, sql))}
    scale = 10**6
    assert set(found) <= {OLD * scale, NEW * scale}, found
    return found.get(OLD * scale, 0), found.get(NEW * scale, 0)
