"""One run of a scenario: a fresh database, a server, its load, and the final checks."""

import random
import subprocess

from harness import Client, Faults, Ledger, Load, Server, articles, clean_environment, verify, wait_for_import


class Run:
    """One run of a scenario: a fresh database, a server, and its load."""

    def __init__(self, suite, database, seed, name, into=None, faulty=False, settings=None, **fresh):
        self.suite, self.database, self.seed = suite, database, seed
        self.random = random.Random(seed)
        # `saw` has notes that are printed even without a problem
        self.ledger, self.problems, self.saw = Ledger(), [], []
        self.data, self.url = database.fresh(f"{database.name}-{name}-{seed}", into, **fresh)
        self.faults = Faults(suite.folder, suite.faults) if faulty else None
        self.server = Server(suite.program, self.data, self.url, self.faults, settings)
        self.token = self.tenant = self.imported = None
        self.rows = self.kills = 0

    def begin(self, rows=0):
        if not self.server.process:
            self.server.start()
        client = Client(self.server)
        client.sign_in_again()
        self.token = client.token
        self.tenant = client.call("GET", "/api/admin/tenants").json()["data"][0]["id"]
        if rows:
            answer = client.upload(self.tenant, articles(rows, self.seed))
            assert answer.status == 201, answer.body
            self.rows, self.imported = rows, answer.json()["id"]

    def load(self, **settings):
        return Load(self.server, self.token, self.tenant, self.ledger, self.seed, **settings)

    def expect(self, holds, problem):
        if not holds:
            self.problems.append(problem)

    def settle(self, patience=90):
        """Waits until the server has recovered without further faults, and checks that everything
        acknowledged is there."""
        self.server.wait_until_ready(6)
        if self.imported:
            found = wait_for_import(self.server, self.imported, self.tenant, patience)
            whole = (found["status"], found["rows_created"], found["rows_refused"])
            self.expect(whole == ("Success", self.rows, 0), f"the import ended as {found}")
            client = Client(self.server)
            client.sign_in_again()
            for path in (f"imports/{self.imported}/rows?filter[outcome]=created", f"articles?filter[import_id]={self.imported}"):
                total = client.call("GET", f"/api/admin/{path}").json()["meta"]["total"]
                self.expect(total == self.rows, f"{total} of {self.rows} rows in {path}")
        self.problems += self.ledger.unexpected
        self.problems += verify(self.server, self.ledger, self.seed, self.tenant)

    def end(self):
        """Checks the same again after an orderly end, with a process that has only the disk."""
        self.expect(self.server.end() == 0, "the server did not end well")
        self.server.faults = None
        self.server.start()
        self.problems += [f"after a restart: {problem}" for problem in verify(self.server, self.ledger, self.seed, self.tenant)]
        self.server.end()
        self.problems += self.database.check(self.data, self.url)

    def command(self, name, *arguments):
        """Runs a command of the program over the same database and files."""
        environment = {**clean_environment(), "STALHOF_DATA_DIR": self.data, **({"DATABASE_URL": self.url} if self.url else {})}
        command = [self.suite.program, name, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    def close(self):
        if self.server.process and self.server.process.poll() is None:
            self.server.kill()
        if not self.problems:
            self.database.drop(self.data, self.url)
