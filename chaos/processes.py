"""Attacks on three processes behind a proxy, over a PostgreSQL that fails over to its standby."""

import contextlib
import itertools
import os
import random
import shutil
import subprocess
import threading
import time

from feeds import server_beside
from harness import OTHERS, ROOT, Client, Ledger, Load, Server, clean_environment, free_port, multipart
from stocks import STOCKS, check_stocks, file, places, stocks_of
from trial import Run

PROCESSES = 3
# Seconds between two kills, and around the two switches of the primary; in CI.
KILL_EVERY = 5
PHASE, PHASE_IN_CI = 40, 4
# Rows of an import.
ROWS = 200


class Proxy(Server):
    """HAProxy with the configuration for operators, in front of the processes and the databases."""

    def __init__(self, data):
        super().__init__(self.installed(), data, log="-proxy")
        self.databases, self.replicas, self.servers = free_port(), free_port(), {}

    @staticmethod
    def installed():
        return shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")

    def start(self, wait=True):
        config = os.path.join(ROOT, "docker/proxy/haproxy.cfg")
        listens = {"STALHOF_LISTEN": self.port, "DATABASE_LISTEN": self.databases, "REPLICA_LISTEN": self.replicas}
        addresses = {name: f"127.0.0.1:{port}" for name, port in {**listens, **self.servers}.items()}
        with open(self.log, "ab") as log:
            command = [self.program, "-db", "-f", config]
            self.process = subprocess.Popen(command, env={**clean_environment(), **addresses}, stdout=log, stderr=log)


class Pair:
    """A primary and its synchronous standby: a commit is confirmed when both have it on disk."""

    def __init__(self, database):
        self.first = self.primary = database
        # role by which the proxy finds the primary
        database.sql("CREATE ROLE proxy LOGIN")
        # copied with the data, so that any primary has a synchronous standby or confirms nothing
        self.synchronous("*")
        self.standby = database.standby(f"{database.place}-standby")
        self.ports = {"DATABASE_1": database.port, "DATABASE_2": self.standby.port}

    def synchronous(self, names):
        self.primary.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.primary.sql("SELECT pg_reload_conf()")

    def is_synchronous(self):
        return self.primary.sql("SELECT sync_state FROM pg_stat_replication") == "sync\n"

    def switch(self, mode):
        """Stops the primary, promotes its standby, and makes the former primary the new standby."""
        self.primary.stop(mode)
        self.primary, self.standby = self.standby, self.primary
        self.primary.promote()
        self.standby.follow(self.primary)

    def close(self):
        """Leaves only the first server, as other scenarios expect it."""
        if self.primary is not self.first:
            self.switch("fast")
        self.synchronous("")
        self.standby.stop()
        self.primary.sql("DROP ROLE proxy")
        self.primary.stop("fast")
        self.primary.options = ""
        self.primary.start()


# Answer to a call that was repeated because its process died between the commit and the answer.
ALREADY_DONE = (409, "already_done")
# Answer to sign-ins after cut-off ones, which count as wrong after 5 s so that they do not bypass the limit;
# at most 30 s to wait.
SLOWED_DOWN = (429, "too_many_attempts")


class Answers(Ledger):
    """Records each answer except success, 503 and the two above as unexpected."""

    def check(self, what, answer):
        super().check(what, answer)
        if answer.status >= 400 and answer.status != 503 and (answer.status, answer.code()) not in (ALREADY_DONE, SLOWED_DOWN):
            self.unexpected.append(f"{what}: {answer.status} {answer.body[:300]!r}")
        if answer.status == 503:
            time.sleep(0.3)

    def note(self, status, seconds):
        super().note(status, seconds)
        if isinstance(status, str):
            self.unexpected.append(f"a connection has broken: {status}")


class Clients(Load):
    """Clients that wait after 503 and repeat a call with the same key until it is acknowledged, as the answer
    demands."""

    def __init__(self, run):
        super().__init__(run.server, run.token, run.tenant, Answers(), run.seed)
        run.ledger, self.emails = self.ledger, list(OTHERS)
        self.tokens = [self.signed_in() for _ in range(6)]
        self.places, self.imported = places(self.client(), run.tenant), []
        self.threads += [threading.Thread(target=self.work, args=(job,), daemon=True) for job in (self.import_stocks, self.read_history)]

    def signed_in(self):
        client = Client(self.server)
        client.sign_in_again()
        return client.token

    def client(self):
        return Client(self.server, random.choice(self.tokens))

    def once(self, kind, key, path, body, headers=None):
        began = time.monotonic()
        while time.monotonic() - began < 60:
            answer = self.ledger.call(self.client(), kind, key, "POST", path, body, {**(headers or {}), "Idempotency-Key": key})
            if answer and (answer.status, answer.code()) == ALREADY_DONE:
                self.ledger.acknowledged[kind, key] = answer
            if answer and answer.status != 503:
                return

    def create(self, _):
        name = f"K-{self.seed}-{next(self.names)}"
        self.once("material", name, "/api/admin/materials", {"name": name})

    def ask_for_mail(self, _):
        """Requests one mail for each address, because further ones would be refused."""
        if self.emails:
            email = self.emails.pop()
            self.once("mail", email, "/api/password-reset", {"email": email})
        time.sleep(1)

    def import_stocks(self, _):
        """Uploads files with different stocks, one after the other."""
        rows = list(itertools.islice(self.places, ROWS))
        content = file(STOCKS, stocks_of(rows, self.tenant, first=len(self.imported)))
        body, kind = multipart({"type": "Stock"}, f"chaos-{self.tenant}-Stock.csv", content)
        self.once("import", f"S-{self.seed}-{len(self.imported)}", f"/api/admin/imports?tenant_id={self.tenant}", body, {"Content-Type": kind})
        self.imported += rows
        time.sleep(0.5)

    def read_history(self, _):
        """Reads data that the standby may serve."""
        self.ledger.call(self.client(), "history", 0, "GET", "/api/admin/audit?page[size]=10")
        time.sleep(0.05)


class Supervisor(threading.Thread):
    """Restarts each process that has ended, like a service manager, and kills one now and then."""

    def __init__(self, run, processes):
        super().__init__(daemon=True)
        self.random, self.processes = run.random, processes
        self.over, self.kills, self.next_kill = threading.Event(), [], None

    def run(self):
        while not self.over.wait(0.1):
            if self.next_kill and time.monotonic() > self.next_kill:
                self.next_kill += KILL_EVERY
                victim = self.random.randrange(len(self.processes))
                self.processes[victim].kill()
                self.kills.append(victim + 1)
            for server in self.processes:
                if not server.process or server.process.poll() is not None:
                    server.start(wait=False)

    def begin_to_kill(self):
        self.next_kill = time.monotonic() + KILL_EVERY

    def close(self):
        """Stops killing and starting processes."""
        self.over.set()
        self.join()


def wait_for(what, holds, seconds):
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > seconds:
            raise RuntimeError(f"{what} after {seconds} s")
        time.sleep(0.1)


def check_clients(run, database, clients):
    """Checks that each acknowledged import has succeeded, and that everything acknowledged exists once."""
    imports = "FROM import WHERE upload_file LIKE 'chaos-%'"
    is_over = lambda: database.ask(None, run.url, f"SELECT count(*) {imports} AND status IN ('Queued', 'InProgress')") == ["0"]  # noqa: E731
    wait_for("the imports have not ended", is_over, 120)
    ended = database.ask(None, run.url, f"SELECT status, count(*) {imports} GROUP BY 1")
    run.expect(ended == [f"Success\t{len(clients.imported) // ROWS}"], f"the imports have ended as {ended}")
    check_stocks(run, database, run.tenant, clients.imported)
    run.settle()


def processes_killed(suite, database, seed):
    """Kills one of three processes every 5 s and switches the primary twice; clients may see nothing but 503."""
    if not Proxy.installed():
        return None
    run = Run(suite, database, seed, "processes-killed")
    phase = PHASE_IN_CI if suite.short else PHASE
    with contextlib.closing(run), contextlib.closing(Pair(database)) as pair, contextlib.ExitStack() as stack:
        proxy = Proxy(run.data)
        run.url = run.url.replace(f":{database.port}/", f":{proxy.databases}/")
        settings = {"DATABASE_READ_URL": run.url.replace(f":{proxy.databases}/", f":{proxy.replicas}/"), "STALHOF_TRUSTED_PROXIES": "127.0.0.1"}
        os.mkdir(os.path.join(run.data, "mails"), 0o700)
        processes = [server_beside(run, number > 0, settings, f"-{number + 1}") for number in range(PROCESSES)]
        proxy.servers = {**pair.ports, **{f"STALHOF_{number + 1}": process.port for number, process in enumerate(processes)}}
        for server in (proxy, *processes):
            stack.callback(lambda server=server: server.process and server.process.poll() is None and server.kill())
        proxy.start()
        supervisor = stack.enter_context(contextlib.closing(Supervisor(run, processes)))
        supervisor.start()
        all_ready = lambda: all(server.ready() == 204 for server in (*processes, proxy))  # noqa: E731
        wait_for("not all processes are ready", all_ready, 60)
        run.server = proxy
        run.begin()
        clients, switches = Clients(run), []
        wait_for("the standby is not synchronous", pair.is_synchronous, 10)
        supervisor.begin_to_kill()
        with clients:
            for mode in ("immediate", "fast"):
                time.sleep(phase)
                began = time.monotonic()
                pair.switch(mode)
                wait_for("the standby is not synchronous", pair.is_synchronous, 10)
                switches.append(time.monotonic() - began)
            time.sleep(phase)
            supervisor.next_kill = None
        wait_for("not all processes are ready", all_ready, 60)
        check_clients(run, database, clients)
        run.saw.append(
            f"killed processes {', '.join(map(str, supervisor.kills))}; the primary was switched in "
            f"{' and '.join(f'{seconds:.1f} s' for seconds in switches)}; {len(clients.imported) // ROWS} imports"
        )
        supervisor.close()
        for server in processes:
            run.expect(server.end() == 0, "a process did not end well")
    return run
