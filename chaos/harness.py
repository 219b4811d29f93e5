"""The real server, clients that load it, and a ledger of its acknowledgements."""

import contextlib
import copy
import ctypes
import http.client
import json
import mmap
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PASSWORD = "profil-traeger-walzwerk"
ADMINISTRATOR = {"email": "admin@stalhof.example", "password": PASSWORD}
SIGNING_IN = "shop@nordstahl.example"
OTHERS = ["leitung@nordstahl.example", "mitarbeit@nordstahl.example", "leitung@suedrohr.example"]
EIO, ENOSPC = 5, 28


def free_port():
    return int(subprocess.check_output([os.path.join(ROOT, "scripts/free-port")], text=True))


class Faults:
    """Faults for the next writes and syncs of the server's files."""

    def __init__(self, folder, library):
        self.path, self.library = os.path.join(folder, "faults"), library
        with open(self.path, "wb") as file:
            file.write(bytes(32))
        with open(self.path, "r+b") as file:
            self.shared = mmap.mmap(file.fileno(), 32)

    def environment(self, below):
        return {"LD_PRELOAD": self.library, "STALHOF_FAULTS": self.path, "STALHOF_FAULTS_BELOW": below}

    def set(self, which, passes, fails, error):
        """Lets `passes` writes (0) or syncs (1) succeed, then `fails` of them fail; -1: all."""
        struct.pack_into("iii", self.shared, 16 * which, passes, 0, error)
        struct.pack_into("i", self.shared, 16 * which + 4, fails)

    def heal(self):
        for which in (0, 1):
            struct.pack_into("ii", self.shared, 16 * which, 0, 0)

    def failed(self):
        return sum(struct.unpack_from("i", self.shared, 16 * which + 12)[0] for which in (0, 1))


class Server:
    """A server process over a data folder."""

    def __init__(self, program, data, url=None, faults=None, settings=None, log=""):
        self.program, self.data, self.url, self.faults = program, data, url, faults
        self.settings, self.arguments = settings or {}, []
        self.faults_below = data
        self.port = free_port()
        self.log = data.rstrip("/") + log + ".log"
        self.process = None

    def start(self, wait=True):
        environment = {
            **os.environ, "STALHOF_LISTEN": f"127.0.0.1:{self.port}", "STALHOF_DATA_DIR": self.data,
            "RUST_LOG": "warn", **self.settings,
        }  # fmt: skip
        environment.pop("DATABASE_URL", None)
        if self.url:
            environment["DATABASE_URL"] = self.url
        if self.faults:
            environment.update(self.faults.environment(os.path.realpath(self.faults_below)))
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", *self.arguments], env=environment, stdout=subprocess.DEVNULL, stderr=log
            )
        if wait:
            self.wait_until_ready(30)

    def wait_until_ready(self, seconds):
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server has ended: {self.tail()}")
            if self.ready() == 204:
                return time.monotonic() - began
            time.sleep(0.02)
        raise RuntimeError(f"the server is not ready after {seconds} s: {self.tail()}")

    def ready(self):
        with contextlib.suppress(OSError, http.client.HTTPException):
            return Client(self, timeout=5).call("GET", "/readyz").status
        return None

    def tail(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()[-2000:]

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """Sends SIGTERM and returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(45)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError("the server did not end within 45 s of SIGTERM") from None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


class Answer:
    def __init__(self, status, headers, body, seconds):
        self.status, self.headers, self.body, self.seconds = status, headers, body, seconds

    def json(self):
        return json.loads(self.body)

    def code(self):
        with contextlib.suppress(ValueError, AttributeError):
            return self.json().get("code")
        return None


class Client:
    """Calls a server, each time over a new connection, so that no call ends up between two servers."""

    def __init__(self, server, token=None, timeout=30):
        self.server, self.token, self.timeout = server, token, timeout

    def call(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=self.timeout)
        sent = {"Accept-Language": "en", **(headers or {})}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if isinstance(body, (dict, list)):
            body, sent["Content-Type"] = json.dumps(body), "application/json"
        began = time.monotonic()
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read(), time.monotonic() - began)
        finally:
            connection.close()

    def sign_in(self, email=None):
        credentials = {**ADMINISTRATOR, **({"email": email} if email else {})}
        answer = self.call("POST", "/api/sessions", credentials)
        if answer.status == 201:
            self.token = answer.json()["session"]["token"]
        return answer

    def sign_in_again(self):
        """Signs in with retries, because the database may still be starting after a fault."""
        began = time.monotonic()
        answer = self.sign_in()
        while answer.status == 503 and time.monotonic() - began < 60:
            time.sleep(0.2)
            answer = self.sign_in()
        assert answer.status == 201, f"signing in is answered {answer.status}: {answer.body}"

    def upload(self, tenant, content, name="articles.csv", type="Article", **fields):
        body, kind = multipart({"type": type, **fields}, name, content)
        return self.call("POST", f"/api/admin/imports?tenant_id={tenant}", body, {"Content-Type": kind})


def multipart(fields, name, content):
    boundary = "stalhof-chaos-boundary"
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
    ]
    disposition = f'Content-Disposition: form-data; name="file"; filename="{name}"'
    head = f"--{boundary}\r\n{disposition}\r\nContent-Type: text/csv\r\n\r\n"
    parts += [head.encode(), content, f"\r\n--{boundary}--\r\n".encode()]
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"


def articles(rows, seed):
    """A file of `rows` new articles without errors."""
    lines = ["Artikeltyp;Werkstoff;Breite [mm];Dicke [mm];Länge [m]"]
    lines += [f"Flachstahl;S235JR;{1000 + index % 5000};{50 + seed % 900 + index // 5000};6" for index in range(rows)]
    return "\r\n".join(lines).encode()


class Ledger:
    """Requests and answers. Acknowledged records must exist once; refused ones may exist; no others may."""

    def __init__(self):
        self.lock = threading.Lock()
        self.sent, self.acknowledged = {}, {}
        self.answers, self.slowest = {}, 0.0
        self.unexpected = []

    def call(self, client, kind, key, method, path, body=None, headers=None):
        with self.lock:
            self.sent[kind, key] = body
        try:
            answer = client.call(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.note(type(error).__name__, 0)
            return None
        self.check(f"{method} {path}", answer)
        if answer.status < 300:
            with self.lock:
                self.acknowledged[kind, key] = answer
        return answer

    def check(self, what, answer):
        """Counts an answer, and records it if a client should never get it."""
        self.note(answer.status, answer.seconds)
        unexpected = answer.status >= 500 and answer.status not in (503, 507)
        unannounced = answer.status == 503 and "Retry-After" not in answer.headers
        if unexpected or unannounced:
            with self.lock:
                self.unexpected.append(f"{what}: {answer.status} {answer.body[:300]!r}")

    def note(self, status, seconds):
        with self.lock:
            self.answers[status] = self.answers.get(status, 0) + 1
            self.slowest = max(self.slowest, seconds)


class Load:
    """Clients that write, sign in, upload and request mails until they are stopped."""

    def __init__(self, server, token, tenant, ledger, seed, writers=4):
        self.server, self.token, self.tenant, self.ledger = server, token, tenant, ledger
        self.seed, self.stopping, self.names = seed, threading.Event(), iter(range(10**9))
        jobs = [self.create] * writers + [self.change, self.sign_in, self.upload, self.read, self.ask_for_mail]
        self.threads = [threading.Thread(target=self.work, args=(job,), daemon=True) for job in jobs]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join(60)

    def work(self, job):
        state = {}
        while not self.stopping.is_set():
            job(state)

    def client(self):
        return Client(self.server, self.token)

    def create(self, _):
        name = f"K-{self.seed}-{next(self.names)}"
        self.ledger.call(self.client(), "material", name, "POST", "/api/admin/materials", {"name": name})

    def change(self, state):
        """Changes one record repeatedly: it must not fall behind the last acknowledged change."""
        client = self.client()
        if "id" not in state:
            name = f"C-{self.seed}"
            answer = self.ledger.call(client, "changed", name, "POST", "/api/admin/materials", {"name": name})
            if answer is None or answer.status != 201:
                time.sleep(0.05)
                return
            state.update(id=answer.json()["id"], count=0, name=name)
        state["count"] += 1
        body = {"name": state["name"], "display_name": str(state["count"])}
        self.ledger.call(client, "change", (state["id"], state["count"]), "PUT", f"/api/admin/materials/{state['id']}", body)

    def sign_in(self, _):
        key = next(self.names)
        self.ledger.call(Client(self.server), "session", key, "POST", "/api/sessions", {**ADMINISTRATOR, "email": SIGNING_IN})
        time.sleep(0.1)

    def upload(self, _):
        key = next(self.names)
        # a dry run, because the file's content would be refused
        content, kind = multipart({"type": "Article", "dry_run": "true"}, "tiny.csv", f"Artikeltyp\r\nX{key}".encode())
        path = f"/api/admin/imports?tenant_id={self.tenant}"
        self.ledger.call(self.client(), "upload", key, "POST", path, content, {"Content-Type": kind})
        time.sleep(0.05)

    def read(self, _):
        self.ledger.call(self.client(), "read", 0, "GET", "/api/admin/articles?page[size]=10")
        time.sleep(0.02)

    def ask_for_mail(self, _):
        email = random.choice(OTHERS)
        self.ledger.call(Client(self.server), "mail", email, "POST", "/api/password-reset", {"email": email})
        time.sleep(0.3)


def every(client, path):
    """All rows of a list."""
    rows, page = [], 1
    while True:
        answer = client.call("GET", f"{path}&page[size]=200&page[number]={page}")
        assert answer.status == 200, (answer.status, answer.body)
        content = answer.json()
        rows += content["data"]
        if page >= content["meta"]["last_page"]:
            return rows
        page += 1


def verify(server, ledger, seed, tenant):
    """Lists records that are lost, duplicated or unknown."""
    client = Client(server)
    client.sign_in_again()
    problems = []
    there = [row["name"] for row in every(client, f"/api/admin/materials?filter[name]=K-{seed}-")]
    acknowledged = {key for kind, key in ledger.acknowledged if kind == "material"}
    sent = {key for kind, key in ledger.sent if kind == "material"}
    problems += [f"lost: {name}" for name in acknowledged - set(there)]
    problems += [f"unknown: {name}" for name in set(there) - sent]
    problems += [f"doubled: {name}" for name in set(there) if there.count(name) > 1]
    changes = {}
    for kind, key in ledger.acknowledged:
        if kind == "change":
            changes[key[0]] = max(changes.get(key[0], 0), key[1])
    for record, last in changes.items():
        answer = client.call("GET", f"/api/admin/materials/{record}")
        if answer.status != 200 or int(answer.json()["display_name"] or 0) < last:
            problems.append(f"change {last} of {record} lost: {answer.body!r}")
    # the latest ten sessions of a user stay valid
    sessions = [answer.json()["session"]["token"] for (kind, _), answer in ledger.acknowledged.items() if kind == "session"]
    for token in sessions[-5:]:
        if Client(server, token).call("GET", "/api/sessions/current").status != 200:
            problems.append("an acknowledged session is unknown")
    for (kind, key), answer in ledger.acknowledged.items():
        if kind == "upload":
            number = answer.json()["id"]
            file = client.call("GET", f"/api/admin/imports/{number}/upload-file?tenant_id={tenant}")
            if file.status != 200 or file.body != f"Artikeltyp\r\nX{key}".encode():
                problems.append(f"upload {number} lost: {file.status}")
    mails = os.path.join(server.data, "mails")
    wanted = {key for kind, key in ledger.acknowledged if kind == "mail"}
    began = time.monotonic()
    while wanted and time.monotonic() - began < 200:
        sent_to = set()
        # other names are mails still being written
        for name in (name for name in os.listdir(mails) if name.endswith(".eml")):
            with open(os.path.join(mails, name), encoding="utf-8", errors="replace") as file:
                text = file.read()
            sent_to |= {email for email in wanted if email in text}
        wanted -= sent_to
        time.sleep(0.2)
    problems += [f"no mail to {email}" for email in wanted]
    return problems


def wait_for_import(server, number, tenant, seconds):
    """Waits for an import to end and returns it."""
    client = Client(server)
    client.sign_in_again()
    began = time.monotonic()
    while True:
        answer = client.call("GET", f"/api/admin/imports/{number}?tenant_id={tenant}")
        found = answer.json() if answer.status == 200 else {}
        if found.get("status") not in ("Queued", "InProgress", None):
            return found
        if time.monotonic() - began > seconds:
            raise RuntimeError(f"import {number} has not ended after {seconds} s: {found or answer.body}")
        time.sleep(0.1)


class Sqlite:
    """Embedded databases, each a copy of one with the demo data."""

    name = "SQLite"

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.template = os.path.join(folder, "sqlite-template")
        subprocess.run([program, "seed"], env={**clean_environment(), "STALHOF_DATA_DIR": self.template}, check=True)

    def fresh(self, name, into=None, template=None):
        data = os.path.join(into or self.folder, name)
        shutil.copytree(template or self.template, data)
        return data, None

    def keep(self, data, _url, name):
        """Copies the data of a stopped server as a further template."""
        template = os.path.join(self.folder, name)
        shutil.copytree(data, template)
        return template

    def empty(self, name):
        return os.path.join(self.folder, name), None

    def drop(self, data, _url):
        shutil.rmtree(data, ignore_errors=True)

    def ask(self, data, _url, sql):
        """Rows as lines; only while no server runs."""
        connection = sqlite3.connect(os.path.join(data, "stalhof.db"))
        with contextlib.closing(connection):
            return ["\t".join("" if cell is None else str(cell) for cell in row) for row in connection.execute(sql)]

    def check(self, data, _):
        connection = sqlite3.connect(os.path.join(data, "stalhof.db"))
        with contextlib.closing(connection):
            damage = connection.execute("PRAGMA integrity_check").fetchall()
            orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
        return ([] if damage == [("ok",)] else [f"damaged: {damage}"]) + [f"orphan: {row}" for row in orphans]

    def close(self):
        pass


class Postgres:
    """A private server with databases that are copies of one with the demo data."""

    name = "PostgreSQL"

    def __init__(self, program, folder, into=None):
        self.folder, self.number, self.options = folder, 0, ""
        programs = subprocess.check_output([os.path.join(ROOT, "scripts/provide"), "postgres"], text=True).strip()
        self.programs, self.port = programs, free_port()
        self.place = os.path.join(into or folder, "postgres")
        os.mkdir(self.place)
        self.owner = []
        if os.geteuid() == 0:
            shutil.chown(self.place, "postgres")
            self.owner = ["runuser", "-u", "postgres", "--"]
        os.chmod(os.path.dirname(self.place), 0o755)
        self.run("initdb", "-D", f"{self.place}/data", "-U", "stalhof", "-A", "trust", "-E", "UTF8", "--locale=C")
        self.start()
        self.template = os.path.join(folder, "postgres-template")
        self.sql("CREATE DATABASE template_demo")
        environment = {**clean_environment(), "STALHOF_DATA_DIR": self.template, "DATABASE_URL": self.url("template_demo")}
        subprocess.run([program, "seed"], env=environment, check=True)

    def run(self, name, *arguments, check=True):
        command = [*self.owner, os.path.join(self.programs, name), *arguments]
        with open(f"{self.place}/commands.log", "ab") as log:
            return subprocess.run(command, check=check, stdout=log, stderr=log, cwd="/")

    def start(self):
        options = f"-c port={self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.place} -c max_connections=100 {self.options}"
        self.run("pg_ctl", "-D", f"{self.place}/data", "-l", f"{self.place}/log", "-w", "-o", options, "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-D", f"{self.place}/data", "-m", mode, "-w", "stop")

    def standby(self, place):
        """Starts a standby of this server."""
        standby = copy.copy(self)
        standby.place, standby.port = place, free_port()
        os.mkdir(place)
        if self.owner:
            shutil.chown(place, "postgres")
        standby.follow(self)
        return standby

    def follow(self, primary):
        """Copies another server and becomes its standby; without fsync, because no machine is killed."""
        self.options = "-c fsync=off"
        shutil.rmtree(f"{self.place}/data", ignore_errors=True)
        url = primary.url("postgres")
        self.run("pg_basebackup", "-D", f"{self.place}/data", "-d", url, "--write-recovery-conf", "--checkpoint=fast", "--no-sync")
        self.start()

    def promote(self):
        self.run("pg_ctl", "-D", f"{self.place}/data", "-w", "promote")

    def processes(self):
        with open(f"{self.place}/data/postmaster.pid", encoding="utf-8") as file:
            main = int(file.readline())
        found = subprocess.run(["pgrep", "-P", str(main)], capture_output=True, text=True, check=False).stdout
        return [main, *map(int, found.split())]

    def workers(self):
        """Processes except the main one and the recovering one, whose death would end PostgreSQL for good."""
        workers = []
        for process in self.processes()[1:]:
            with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline", encoding="utf-8") as file:
                if "startup" not in file.read():
                    workers.append(process)
        return workers

    def freeze(self):
        frozen = self.processes()
        for process in frozen:
            os.kill(process, signal.SIGSTOP)
        return frozen

    def thaw(self, frozen):
        for process in frozen:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

    def url(self, database):
        return f"postgres://stalhof@127.0.0.1:{self.port}/{database}"

    def sql(self, sql, database="postgres"):
        command = [
            os.path.join(self.programs, "psql"), "-qAtX", "-F", "\t", "-h", "127.0.0.1", "-p", str(self.port),
            "-U", "stalhof", "-c", sql, database,
        ]  # fmt: skip
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def ask(self, _data, url, sql):
        """Rows as lines."""
        return self.sql(sql, url.rpartition("/")[2]).splitlines()

    def copy(self, database, template, space=None):
        # the other strategy copies sequences so that a crash makes them repeat numbers
        where = f" TABLESPACE {space}" if space else ""
        self.sql(f"CREATE DATABASE {database} TEMPLATE {template} STRATEGY file_copy{where}")

    def fresh(self, name, into=None, template=None, space=None):
        self.number += 1
        files, database = template or (self.template, "template_demo")
        self.copy(f"run_{self.number}", database, space)
        data = os.path.join(into or self.folder, name)
        shutil.copytree(files, data)
        return data, self.url(f"run_{self.number}")

    def keep(self, data, url, name):
        template = os.path.join(self.folder, name), f"template_{self.number}"
        shutil.copytree(data, template[0])
        self.copy(template[1], url.rpartition("/")[2])
        return template

    @contextlib.contextmanager
    def space(self, place):
        """A tablespace on another disk; the caller removes its databases."""
        folder = os.path.join(place, "space")
        os.mkdir(folder)
        if self.owner:
            shutil.chown(folder, "postgres")
        name = f"space_{self.number}"
        self.sql(f"CREATE TABLESPACE {name} LOCATION '{folder}'")
        try:
            yield name
        finally:
            self.sql(f"DROP TABLESPACE {name}")

    def empty(self, name):
        self.sql(f"CREATE DATABASE restored_{self.number} TEMPLATE template0")
        return os.path.join(self.folder, name), self.url(f"restored_{self.number}")

    def drop(self, data, url):
        self.sql(f"DROP DATABASE IF EXISTS {url.rpartition('/')[2]} WITH (FORCE)")
        shutil.rmtree(data, ignore_errors=True)

    def check(self, _data, _url):
        return []

    def close(self):
        self.stop()


def clean_environment():
    kept = {key: value for key, value in os.environ.items() if not key.startswith("STALHOF_")}
    kept.pop("DATABASE_URL", None)
    return {**kept, "RUST_LOG": "warn"}


def compiled_faults(folder):
    library = os.path.join(folder, "faults.so")
    source = os.path.join(ROOT, "chaos/faults.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@contextlib.contextmanager
def small_disk(mib):
    """Mounts a file system of `mib` MiB; yields None without the right to mount."""
    place = os.path.join("/tmp" if not os.environ.get("TMPDIR") else os.environ["TMPDIR"], f"stalhof-disk-{os.getpid()}-{random.randrange(10**6)}")
    os.mkdir(place)
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        mounted = libc.mount(b"tmpfs", place.encode(), b"tmpfs", 0, f"size={mib}m".encode()) == 0
        yield place if mounted else None
    finally:
        libc.umount2(place.encode(), 2)
        with contextlib.suppress(OSError):
            os.rmdir(place)


def fill(place):
    """Fills all free space to the last byte; returns the path of the file."""
    path = os.path.join(place, "filler")
    with open(path, "ab", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"x" * size)
    return path
