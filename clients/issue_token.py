"""Prints a token created like on the page /tokens by an administrator of the demo, which is the only step
that needs a password."""

import json
import os
import urllib.request

URL = os.environ["STALHOF_URL"]


def call(path: str, body: object, headers: dict[str, str]) -> dict[str, object]:
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), {"content-type": "application/json"} | headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


credentials = {"email": "admin@stalhof.example", "password": "profil-traeger-walzwerk"}
session = call("/api/sessions", credentials, {})["session"]["token"]
issued = call("/api/admin/tokens", {"name": "ERP", "abilities": ["access-admin"]}, {"authorization": f"Bearer {session}"})
print(issued["plain_text"])
