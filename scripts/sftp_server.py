"""An OpenSSH server for feeds, and the FTP settings with which Stalhof connects to it.

As a program it serves a new folder below the given one until its input ends; without OpenSSH it exits with 3:
    scripts/sftp_server.py FOLDER     prints port, user, private key and folder as JSON once it listens
"""

import base64
import contextlib
import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NOT_INSTALLED = 3
SETTINGS = {
    "STALHOF_SECRET_KEYS": base64.b64encode(bytes(range(32))).decode(),
    "STALHOF_OUTBOUND_NETWORKS": "127.0.0.0/8",
}


class SftpServer:
    """OpenSSH with a folder for each tenant, run by an unprivileged user."""

    def __init__(self, folder):
        self.folder, self.process = folder, None
        self.port = int(subprocess.check_output([os.path.join(ROOT, "scripts/free-port")], text=True))
        self.user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())

    @staticmethod
    def program():
        return shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")

    def path(self, name):
        return os.path.join(self.folder, name)

    def __enter__(self):
        os.makedirs(self.path("served"))
        for key in ("host_key", "user_key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path(key)], check=True)
        shutil.copy(self.path("user_key.pub"), self.path("authorized_keys"))
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def write(self, tenant, name, content):
        """Writes a file, and its companion that marks it as complete."""
        folder = self.path(f"served/{tenant}")
        os.makedirs(folder, exist_ok=True)
        for name, content in ((name, content), (f"{name}.done", b"")):
            with open(os.path.join(folder, name), "wb") as opened:
                opened.write(content)

    def serve(self):
        """Starts the server for the existing files."""
        with open(self.path("config"), "w", encoding="utf-8") as config:
            # without PAM it would refuse a user with a locked password
            config.write(
                f"ListenAddress 127.0.0.1:{self.port}\nHostKey {self.path('host_key')}\n"
                f"AuthorizedKeysFile {self.path('authorized_keys')}\nSubsystem sftp internal-sftp\nPidFile none\nUsePAM yes\n"
                "StrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPrintMotd no\nMaxStartups 200\n"
            )
        ids = {}
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", f"{self.user.pw_uid}:{self.user.pw_gid}", self.folder], check=True)
            os.chmod(os.path.dirname(self.folder), 0o755)
            ids = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}
        command = [self.program(), "-D", "-e", "-f", self.path("config")]
        with open(self.path("log"), "wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **ids)
        began = time.monotonic()
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            with open(self.path("log"), encoding="utf-8") as log:
                assert self.process.poll() is None and time.monotonic() - began < 20, f"sshd does not listen: {log.read()}"
            time.sleep(0.05)

    def private_key(self):
        with open(self.path("user_key"), encoding="ascii") as key:
            return key.read()

    def settings(self, tenant):
        """FTP settings whose regular runs are two weeks away."""
        schedule = {"type": "monthly", "day": (time.gmtime().tm_mday + 14) % 28 + 1, "time": "03:00"}
        return {
            "protocol": "sftp",
            "host": "127.0.0.1",
            "port": self.port,
            "username": self.user.pw_name,
            "private_key": self.private_key(),
            "base_path": self.path(f"served/{tenant}"),
            "price_file": {"enabled": True, "file_name": "*Price.csv", "transformer": "standard", "as_price_list": False},
            "stock_file": {"enabled": True, "file_name": "*Stock.csv", "transformer": "standard"},
            "schedules": {"price": schedule, "stock": schedule},
            "after_reading": "leave",
        }


def main():
    if not SftpServer.program():
        sys.exit(NOT_INSTALLED)
    with SftpServer(os.path.join(sys.argv[1], "sftp")) as server:
        server.serve()
        folder = server.path("served")
        shown = {"port": server.port, "user": server.user.pw_name, "key": server.private_key(), "folder": folder}
        print(json.dumps(shown), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
