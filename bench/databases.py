"""Both databases for the benchmark: filled in bulk, and queried without the product as a yardstick."""

import csv
import json
import multiprocessing
import os
import re
import sqlite3
import subprocess
import time
import unicodedata

COLUMNS = [
    "article_type_id", "material_id", "article_number", "article_number_fold", "article_number_overridden",
    "article_name", "article_name_fold", "article_name_overridden", "attribute_values", "weight_per_base_unit",
    "weight_per_base_unit_overridden", "version", "created_at", "updated_at",
]  # fmt: skip
# Sort keys of lists; an older build has none.
KEYS = ["article_number_sort", "article_name_sort"]
# Id of the first of the imports that have created 20,000 articles each.
IMPORT = 1_000_001
# Month a year ahead, counted from the year 0: the rows are stored until then.
NEXT_YEAR = (time.gmtime().tm_year + 1) * 12 + time.gmtime().tm_mon - 1
OF_IMPORTS = [
    f"""INSERT INTO import (id, tenant_id, name_fold, type, status, dry_run, language, upload_file, upload_key, upload_size, sha256,
    rows_done, rows_created, rows_updated, rows_unchanged, rows_refused, fence, attempt, checkpoint, version, created_at, updated_at)
    SELECT DISTINCT a.id / 20000 + {IMPORT}, (SELECT min(id) FROM tenant), '', 'Article', 'Success', false, 'de', 'a.csv', '', 0, '',
    0, 0, 0, 0, 0, 0, 0, 0, 1, t.created_at, t.created_at FROM article a JOIN tenant t ON t.id = (SELECT min(id) FROM tenant)""",
    f"""INSERT INTO import_row (tenant_id, import_id, line, outcome, record, record_id, record_name, last_month)
    SELECT (SELECT min(id) FROM tenant), a.id / 20000 + {IMPORT}, a.id, 'created', 'article', a.id, a.article_number, {NEXT_YEAR} FROM article a""",
]
STOCKED = {3000, 6000, 6100, 12000, 12100, 15100, 18100}  # lengths of the demo in millimetres
# Lengths from 1 m in steps of a millimetre: all are within the commercial lengths of their types, so that no
# row is refused.
STEPS = 11_100


def fold(text):
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).lower().replace("ß", "ss")


def sort_key(folded):
    """Sort key like that of `values::natural`; checked against the keys of the demo's own articles before
    use."""
    zeros = []

    def count(number):
        return "9" * (number // 9) + str(number % 9)

    def whole(digits):
        plain = digits.lstrip("0")
        zeros.append(len(digits) - max(len(plain), 1))
        return count(len(plain)) + plain

    def number(found):
        parts = re.split("[.,]", found[0])
        if len(parts) == 2:
            return f"{whole(parts[0])}\U0010fffd{parts[1]}{found[0][len(parts[0])]}"
        return re.sub("[0-9]+", lambda digits: whole(digits[0]), found[0])

    key = re.sub("[0-9]+(?:[.,][0-9]+)*", number, folded)
    return key + "\x01" + "".join(map(count, zeros)) if any(zeros) else key


class Assortment:
    """Articles of the demo in additional lengths: real types, names, numbers and values, in any quantity."""

    def __init__(self, database):
        self.taken = 0
        ask = database.ask
        self.sorts = database.sorts_naturally()
        if self.sorts:
            for folded, key in ask("SELECT article_number_fold, article_number_sort FROM article"):
                assert sort_key(folded) == key, (folded, key)
        self.length_id = ask("SELECT id FROM attribute WHERE placeholder = 'laenge'")[0][0]
        self.attributes = {row[0]: row for row in ask("SELECT id, name, default_unit FROM attribute ORDER BY id")}
        self.options = dict(ask("SELECT id, value FROM attribute_option"))
        self.types = dict(ask("SELECT id, name FROM article_type"))
        self.materials = dict(ask("SELECT id, name FROM material"))
        articles = ask(
            "SELECT article_type_id, material_id, article_number, article_name, attribute_values, weight_per_base_unit, "
            "weight_per_base_unit_overridden FROM article ORDER BY id"
        )
        bases = {}
        for article_type, material, number, name, values, weight, own_weight in articles:
            values = values if isinstance(values, dict) else json.loads(values)
            length = values.pop(str(self.length_id), None)
            if length is not None:
                stem = number.rpartition("-")[0]
                name = name.rsplit(" ", 2)[0]
                bases[stem] = (article_type, material, stem, name, values, weight, own_weight)
        self.bases = list(bases.values())

    def take(self, count):
        """Yields the next `count` articles, each with a different length in millimetres."""
        start, self.taken = self.taken, self.taken + count
        lengths = [1000 + step * 7919 % STEPS for step in range(STEPS)]
        lengths = [length for length in lengths if length not in STOCKED]
        for index in range(start, self.taken):
            base = self.bases[index % len(self.bases)]
            yield index, base, lengths[index // len(self.bases)]

    def articles(self, count):
        """Yields the next `count` articles as rows of the table."""
        for index, (article_type, material, stem, name, values, *weight), length in self.take(count):
            metres = f"{length / 1000:.3f}".rstrip("0").rstrip(".")
            number = f"{stem}-{metres}"
            name = f"{name} {metres.replace('.', ',')} m"
            stored = json.dumps({**values, str(self.length_id): {"n": str(length)}}, separators=(",", ":"))
            seconds = 1_767_225_600 + index * 17 % 20_000_000
            moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{index % 1_000_000:06}+00:00"
            yield (
                article_type, material, number, fold(number), 0, name, fold(name), 0, stored, *weight,
                1, moment, moment, *([sort_key(fold(number)), sort_key(fold(name))] if self.sorts else []),
            )  # fmt: skip

    def file(self, path, count):
        """Writes the next `count` articles as a supplier's file."""
        attributes = [attribute for attribute in self.attributes.values()]
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
            units = [f"{name} [{unit}]" if unit else name for _, name, unit in attributes]
            writer.writerow(["Artikeltyp", "Werkstoff", "Gewicht", *units])
            for _, (article_type, material, _, _, values, weight, _), length in self.take(count):
                cells = []
                for attribute, _, _ in attributes:
                    value = values.get(str(attribute), {})
                    cell = self.options[value["o"]] if "o" in value else value.get("n", value.get("t", ""))
                    if attribute == self.length_id:
                        cell = f"{length / 1000:.3f}"
                    cells.append(cell.replace(".", ",") if "n" in value or attribute == self.length_id else cell)
                mass = f"{weight / 1_000_000:.6f}".rstrip("0").rstrip(".").replace(".", ",")
                writer.writerow([self.types[article_type], self.materials[material], mass, *cells])


# Stocks of the first articles for tenants and their warehouses; every tenth is in the second warehouse.
MULTIPLIED = """INSERT INTO stock (tenant_id, name, article_id, warehouse_id, length, width, height, availability_type, quantity,
    external_price, external_price_quantity, external_price_unit, price_updated_at, version, created_at, updated_at)
    SELECT t.tenant, a.article_number, a.id, CASE WHEN a.number % 10 = 0 THEN t.other ELSE t.warehouse END, 0, 0, 0, 'quantity',
    (a.number * 37 % 5000) * 1000000, CASE WHEN a.number % 7 > 0 THEN 800000000 + a.number % 300 * 1000000 END,
    CASE WHEN a.number % 7 > 0 THEN 1000000 END, CASE WHEN a.number % 7 > 0 THEN 't' END, {moment}, 1, {moment}, {moment}
    FROM ({tenants}) t CROSS JOIN (SELECT id, article_number, row_number() OVER (ORDER BY id) AS number FROM article) a
    WHERE a.number <= {stocks} ORDER BY t.tenant, a.id"""


def multiplied(warehouses, others, stocks, moment):
    """Yields statements that each fill a few tenants."""
    tenants = list(warehouses)
    for first in range(0, len(tenants), 25):
        chosen = " UNION ALL ".join(
            f"SELECT {tenant} AS tenant, {warehouses[tenant]} AS warehouse, {others[tenant]} AS other"
            for tenant in tenants[first : first + 25]
        )
        yield MULTIPLIED.format(tenants=chosen, stocks=stocks, moment=moment)


class Database:
    def sorts_naturally(self):
        try:
            self.ask("SELECT article_number_sort FROM article LIMIT 1")
            return True
        except (sqlite3.Error, subprocess.CalledProcessError):
            return False

    def columns(self):
        return COLUMNS + (KEYS if self.sorts_naturally() else [])

    def order(self):
        """Sort columns of the list of numbers."""
        return "article_number_sort" if self.sorts_naturally() else "article_number_fold"


class Sqlite(Database):
    def __init__(self, folder, rows, program, label=""):
        self.name = f"SQLite{program.suffix}"
        self.program = program
        self.folder = os.path.join(folder, f"sqlite-{rows}{label}{program.suffix.replace(' ', '-')}")
        self.path = os.path.join(self.folder, "stalhof.db")
        self.environment = {"STALHOF_DATA_DIR": self.folder}

    def ask(self, sql):
        with sqlite3.connect(self.path) as connection:
            return connection.execute(sql).fetchall()

    def write(self, *statements):
        connection = sqlite3.connect(self.path)
        for pragma in ("synchronous = OFF", "cache_size = -1048576", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {pragma}")
        for statement in statements:
            with connection:
                connection.execute(statement)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def insert(self, articles):
        self.copy("article", self.columns(), articles)

    def copy(self, table, columns, rows):
        """Inserts rows in one durable transaction; returns the seconds that it takes."""
        connection = sqlite3.connect(self.path)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("PRAGMA foreign_keys = ON")
        marks = ", ".join("?" * len(columns))
        started = time.monotonic()
        with connection:
            connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)
        seconds = time.monotonic() - started
        connection.close()
        return seconds

    def multiply_stocks(self, warehouses, others, stocks):
        moment = "strftime('%Y-%m-%dT%H:%M:%S', 1767225600 + a.number * 1999, 'unixepoch') || '.000000+00:00'"
        self.write(*multiplied(warehouses, others, stocks, moment))

    def analyze(self, *_):
        """Does nothing: the product analyses its own file."""

    def settle(self):
        """Assigns the articles to imports; the product analyses its own file."""
        if self.program.is_other:
            return
        with sqlite3.connect(self.path) as connection:
            for statement in OF_IMPORTS:
                connection.execute(statement)

    def size(self, table):
        """Size of a table with its indexes in bytes."""
        named = f"SELECT name FROM sqlite_schema WHERE tbl_name = '{table}'"
        return self.ask(f"SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name IN ({named})")[0][0]

    def cpu_seconds(self):
        """Processor time of the database; SQLite runs in the server's process."""
        return 0

    def yardstick(self, statements, seconds, connections):
        """Rounds per second of the same SQL, in as many processes as there are processors."""
        del connections
        with multiprocessing.Pool(os.cpu_count()) as pool:
            return sum(pool.starmap(_loop, [(self.path, statements, seconds)] * os.cpu_count()))


def _loop(path, statements, seconds):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA cache_size = -16384")
    rounds, started = 0, time.monotonic()
    while (elapsed := time.monotonic() - started) < seconds:
        for statement in statements:
            connection.execute(statement).fetchall()
        rounds += 1
    return rounds / elapsed


class Postgres(Database):
    def __init__(self, folder, rows, program, server, programs, label=""):
        self.name = f"PostgreSQL{program.suffix}"
        self.program = program
        self.folder = os.path.join(folder, f"postgres-{rows}{label}{program.suffix.replace(' ', '-')}")
        self.programs = programs
        database = f"bench_{rows}{label}{program.suffix.replace(' ', '_')}"
        self.url = f"{server.rpartition('/')[0]}/{database}"
        self.environment = {"STALHOF_DATA_DIR": self.folder, "DATABASE_URL": self.url}
        self.psql(server, "-c", f"DROP DATABASE IF EXISTS {database}", "-c", f"CREATE DATABASE {database} TEMPLATE template0")

    def psql(self, url, *arguments, **options):
        command = [os.path.join(self.programs, "psql"), "-XqAt", "-v", "ON_ERROR_STOP=1", url, *arguments]
        return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout

    def ask(self, sql):
        rows = json.loads(self.psql(self.url, "-c", f"SELECT coalesce(json_agg(row), '[]') FROM ({sql}) row"))
        return [tuple(row.values()) for row in rows]

    def write(self, *statements):
        for statement in statements:
            self.psql(self.url, "-c", statement)

    def insert(self, articles):
        self.copy("article", self.columns(), articles)

    def copy(self, table, columns, rows):
        """Copies rows from a file with psql; returns the seconds that it takes."""
        path = os.path.join(self.folder, "copied.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        started = time.monotonic()
        self.psql(self.url, "-c", f"\\copy {table} ({', '.join(columns)}) FROM '{path}' (FORMAT csv)")
        return time.monotonic() - started

    def multiply_stocks(self, warehouses, others, stocks):
        moment = "timestamptz '2026-01-01 00:00:00+00' + a.number * interval '1999 s'"
        self.write(*multiplied(warehouses, others, stocks, moment))

    def analyze(self, *tables):
        """Analyses tables, as autovacuum does within minutes."""
        for table in tables:
            self.psql(self.url, "-c", f"VACUUM ANALYZE {table}")

    def settle(self):
        """Vacuums and analyses, as autovacuum does within minutes."""
        for statement in [] if self.program.is_other else OF_IMPORTS:
            self.psql(self.url, "-c", statement)
        self.analyze(*(("article",) if self.program.is_other else ("article", "import", "import_row")))

    def size(self, table):
        """Size of a table with its indexes and all its partitions in bytes."""
        parts = f"SELECT relid FROM pg_partition_tree(to_regclass('{table}')) UNION SELECT to_regclass('{table}')"
        return int(self.ask(f"SELECT coalesce(sum(pg_total_relation_size(relid)), 0) AS bytes FROM ({parts}) parts")[0][0])

    def cpu_seconds(self):
        """Processor time of all processes of the server, including ended ones."""
        [(postmaster,)] = self.ask("SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1) AS pid")
        ticks = 0
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat", encoding="ascii") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if name == postmaster:
                ticks += sum(map(int, fields[11:15]))
            elif fields[1] == postmaster:
                ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def yardstick(self, statements, seconds, connections):
        script = os.path.join(self.folder, "yardstick.sql")
        with open(script, "w", encoding="utf-8") as file:
            file.writelines(f"{statement};\n" for statement in statements)
        command = [
            os.path.join(self.programs, "pgbench"), "-n", "-M", "prepared", "-c", str(connections), "-j",
            str(os.cpu_count()), "-T", str(max(1, round(seconds))), "-f", script, self.url,
        ]  # fmt: skip
        output = subprocess.run(command, check=True, text=True, capture_output=True).stdout
        tps = next((line for line in output.splitlines() if line.startswith("tps")), "tps = 0")  # no transaction finished in time
        return float(tps.split()[2])
