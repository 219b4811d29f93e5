"""An upgrade under load: processes of a former version beside the schema and the processes of the present
one."""

import contextlib
import os
import shutil
import subprocess
import time

from feeds import server_beside
from harness import ROOT, Postgres
from processes import Clients, Proxy, check_clients, wait_for
from trial import Run

FORMER, PRESENT = 2, 1
# Seconds of load in each state of the upgrade.
PHASE = 20
# Seconds after its last heartbeat at which a process counts as ended.
DEAD_AFTER = 60
NOT_YET = "is alive and needs what the migration"


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def last_release():
    """Name of the last release's tag, or None before the first one."""
    with contextlib.suppress(subprocess.CalledProcessError):
        return git("describe", "--tags", "--abbrev=0", "--match", "v*")
    return None


def build(revision):
    """Builds the server of a revision once, from a clone, and returns the path of its program."""
    commit = git("rev-parse", "--verify", f"{revision}^{{commit}}")
    builds = os.path.join(ROOT, "target/former")
    program = os.path.join(builds, commit, "stalhof")
    if not os.path.exists(program):
        source, target = os.path.join(builds, commit, "source"), os.path.join(builds, "build")
        shutil.rmtree(os.path.dirname(source), ignore_errors=True)
        git("clone", "--quiet", "--shared", "--no-checkout", ROOT, source)
        git("-C", source, "checkout", "--quiet", commit)
        environment = {**os.environ, "CARGO_TARGET_DIR": target}
        subprocess.run(["cargo", "build", "--locked", "--bin", "stalhof"], cwd=source, env=environment, check=True)
        shutil.copy2(os.path.join(target, "debug/stalhof"), program)
        shutil.rmtree(source)
    return program


class Upgrade:
    """Two processes of the former version and one of the present version behind the proxy."""

    def __init__(self, run, program):
        self.run, self.proxy = run, Proxy(run.data)
        settings = {"STALHOF_TRUSTED_PROXIES": "127.0.0.1"}
        os.mkdir(os.path.join(run.data, "mails"), 0o700)
        self.servers = [server_beside(run, number > 0, settings, f"-{number + 1}") for number in range(FORMER + PRESENT)]
        self.former, self.present = self.servers[:FORMER], self.servers[FORMER:]
        for server in self.former:
            server.program = program
        for server in self.present:
            server.arguments = ["--no-migrate"]
        ports = {f"STALHOF_{number + 1}": server.port for number, server in enumerate(self.servers)}
        self.proxy.servers = {**ports, "DATABASE_1": run.database.port, "DATABASE_2": run.database.port}

    def start(self, servers):
        for server in servers:
            server.start(wait=False)
        all_ready = lambda: all(server.ready() == 204 for server in servers)  # noqa: E731
        wait_for("not all processes are ready", all_ready, 60)

    def migrate(self):
        """Migrates; True if the whole schema is up to date. A step that the former version would not survive
        is refused."""
        migrated = self.run.command("migrate")
        if migrated.returncode:
            self.run.expect(NOT_YET in migrated.stderr, f"migrate: {migrated.stderr}")
        return migrated.returncode == 0

    def end_former(self):
        for server in self.former:
            self.run.expect(server.end() == 0, f"a former process did not end well: {server.tail()}")

    def refuse_former(self):
        """Checks that a process of the former version does not start on the present schema."""
        server = self.former[0]
        server.start(wait=False)
        self.run.expect(server.process.wait(30) != 0 and "later version" in server.tail(), f"a former process that starts again: {server.tail()}")

    def close(self):
        for server in (self.proxy, *self.servers):
            if server.process and server.process.poll() is None:
                server.kill()


def former_release(suite, _, seed):
    """Migrates the schema under two processes of a former version, which are then replaced by one of the
    present version."""
    if not Proxy.installed():
        return None
    folder = os.path.join(suite.folder, f"former-{seed}")
    os.mkdir(folder)
    # the former version creates and fills the schema
    with contextlib.closing(Postgres(suite.former, folder)) as database:
        run = Run(suite, database, seed, "former-release")
        with contextlib.closing(run), contextlib.closing(Upgrade(run, suite.former)) as upgrade:
            upgrade.proxy.start()
            upgrade.start(upgrade.former)
            run.server = upgrade.proxy
            run.begin()
            clients = Clients(run)
            with clients:
                time.sleep(PHASE)
                began = time.monotonic()
                whole = upgrade.migrate()
                run.saw.append(f"migrated {'all' if whole else 'some'} steps in {time.monotonic() - began:.1f} s under load")
                time.sleep(PHASE)
                if whole:
                    upgrade.start(upgrade.present)
                    time.sleep(PHASE)
                    upgrade.end_former()
                else:
                    upgrade.end_former()
                    wait_for("the last steps are refused", upgrade.migrate, DEAD_AFTER)
                    upgrade.start(upgrade.present)
                time.sleep(PHASE)
                upgrade.refuse_former()
            check_clients(run, database, clients)
            for server in upgrade.present:
                run.expect(server.end() == 0, "a process did not end well")
    return run
