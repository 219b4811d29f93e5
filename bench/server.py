"""A server of the release build, and its answers under load."""

import json
import os
import signal
import subprocess
import threading
import time
import urllib.request

from sftp_server import SETTINGS as FEEDS_ALLOWED

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
TRADER = {"email": "mitarbeit@nordstahl.example", "password": "profil-traeger-walzwerk"}
ADMINISTRATOR = {"email": "admin@stalhof.example", "password": "profil-traeger-walzwerk"}


class Server:
    def __init__(self, program, database, assortment, rows, load):
        self.program, self.load_program = program, load
        self.database, self.assortment, self.rows = database, assortment, rows
        port = subprocess.check_output([os.path.join(ROOT, "scripts/free-port")], text=True).strip()
        self.address = f"127.0.0.1:{port}"
        self.process = None
        self.token = None
        # id of the last request
        self.request_id = None

    def __enter__(self):
        self.start()
        self.token = self.call("POST", "/api/sessions", ADMINISTRATOR)["session"]["token"]
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Starts the server; returns the seconds until the first request is answered."""
        environment = {
            **os.environ, **self.database.environment, "STALHOF_LISTEN": self.address, "RUST_LOG": "warn",
            "STALHOF_TRUSTED_PROXIES": "127.0.0.1", **FEEDS_ALLOWED,
        }  # fmt: skip
        started = time.monotonic()
        # warnings of the server are printed between the figures
        self.process = subprocess.Popen([self.program, "serve"], env=environment, stdout=subprocess.DEVNULL)
        while True:
            try:
                urllib.request.urlopen(f"http://{self.address}/readyz", timeout=5).close()
                return time.monotonic() - started
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError("the server did not start") from None
                time.sleep(0.001)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def call(self, method, path, body=None, content_type="application/json"):
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        request = urllib.request.Request(f"http://{self.address}{path}", data, method=method)
        if data is not None:
            request.add_header("Content-Type", content_type)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                self.request_id = answer.headers["X-Request-Id"]
                return json.loads(answer.read() or "null")
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode()}") from None

    def load(self, requests, seconds, connections=32):
        """Sends the requests in turn, without a pause; returns the result of the load generator."""
        path = os.path.join(self.database.folder, "requests")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(requests))
        return json.loads(self.start_load(path, seconds, connections).communicate()[0])

    def start_load(self, path, seconds, connections, *headers):
        command = [
            self.load_program, self.address, str(connections), str(seconds), path,
            f"Authorization: Bearer {self.token}", *headers,
        ]  # fmt: skip
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self):
        """Resident memory in MiB."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * PAGE / 2**20

    def watch_memory(self):
        """Records the maximum of resident memory from now on; the returned function ends that and returns the
        maximum."""
        ended, most = threading.Event(), [self.memory()]

        def watch():
            while not ended.wait(0.05):
                most[0] = max(most[0], self.memory())

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()

        def end():
            ended.set()
            thread.join()
            return most[0]

        return end
