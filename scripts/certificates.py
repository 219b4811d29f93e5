"""Certificates for servers that tests and benchmarks start on this machine."""

import os
import ssl
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DAYS = "2"


def certificate(folder: str) -> tuple[str, ssl.SSLContext]:
    """The certificate of a new authority (PEM), and TLS for 127.0.0.1 by it. The keys stay in the folder."""
    openssl = subprocess.check_output([os.path.join(ROOT, "scripts/provide"), "openssl"], text=True).strip()

    def run(*arguments: str) -> None:
        subprocess.run([openssl, *arguments], cwd=folder, check=True, capture_output=True)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout"]
    run("req", "-x509", *key, "ca.key", "-out", "ca.pem", "-days", DAYS, "-subj", "/CN=Stalhof")
    run("req", *key, "key", "-out", "csr", "-subj", "/CN=127.0.0.1")
    with open(os.path.join(folder, "extensions"), "w", encoding="ascii") as extensions:
        extensions.write("subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
    authority = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"]
    run("x509", "-req", "-in", "csr", *authority, "-extfile", "extensions", "-out", "pem", "-days", DAYS)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(os.path.join(folder, "pem"), os.path.join(folder, "key"))
    with open(os.path.join(folder, "ca.pem"), encoding="ascii") as pem:
        return pem.read(), tls
