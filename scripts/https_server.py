"""HTTPS servers that tests and benchmarks start on this machine."""

import contextlib
import os
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ADDRESS = "127.0.0.1"
DAYS = "2"


def certificate(folder: str) -> tuple[str, ssl.SSLContext]:
    """Creates the certificate (PEM) of a new authority, and a TLS context for ADDRESS signed by it. The keys
    stay in the folder."""
    openssl = subprocess.check_output([os.path.join(ROOT, "scripts/provide"), "openssl"], text=True).strip()

    def run(*arguments: str) -> None:
        subprocess.run([openssl, *arguments], cwd=folder, check=True, capture_output=True)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout"]
    run("req", "-x509", *key, "ca.key", "-out", "ca.pem", "-days", DAYS, "-subj", "/CN=Stalhof")
    run("req", *key, "key", "-out", "csr", "-subj", f"/CN={ADDRESS}")
    with open(os.path.join(folder, "extensions"), "w", encoding="ascii") as extensions:
        extensions.write(f"subjectAltName=IP:{ADDRESS}\nbasicConstraints=CA:FALSE\n")
    authority = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"]
    run("x509", "-req", "-in", "csr", *authority, "-extfile", "extensions", "-out", "pem", "-days", DAYS)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(os.path.join(folder, "pem"), os.path.join(folder, "key"))
    with open(os.path.join(folder, "ca.pem"), encoding="ascii") as pem:
        return pem.read(), tls


class HttpsServer(ThreadingHTTPServer):
    """A server that listens as soon as it is created, with a certificate of its own authority (`authority`,
    PEM)."""

    daemon_threads, request_queue_size = True, 128

    def __init__(self, folder: str, handler: type[BaseHTTPRequestHandler]):
        self.authority, self.tls = certificate(folder)
        super().__init__((ADDRESS, 0), handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, client_address) -> None:
        # in the connection's thread, so that an aborted handshake does not block other connections
        with contextlib.suppress(OSError), self.tls.wrap_socket(request, server_side=True) as secured:
            super().finish_request(secured, client_address)

    def url(self, path: str = "") -> str:
        return f"https://{ADDRESS}:{self.server_port}{path}"

    def stop(self) -> None:
        self.shutdown()
        self.server_close()
