"""Runs the examples of a page in order, in one shell; `json` after `sh` is the expected output of the shell.
Receivers (`python`, `ts`) and external APIs (`http`) are run by callbacks.py.

A page may show a part of an answer: keys that it leaves out and values written as "…" are not compared.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def blocks(page: str) -> list[tuple[str, str, int]]:
    """Language, text and line of each fenced block."""
    found = re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return [(block[1], block[2], page.count("\n", 0, block.start()) + 1) for block in found]


def differs(shown: object, actual: object, at: str = "answer") -> str | None:
    if shown == "…":
        return None
    if isinstance(shown, dict) and isinstance(actual, dict):
        missing = [f"{at} has no {key}" for key in shown if key not in actual]
        return next(iter(missing), None) or first(differs(shown[key], actual[key], f"{at}.{key}") for key in shown)
    if isinstance(shown, list) and isinstance(actual, list):
        if len(shown) > len(actual) or ("…" not in shown and len(shown) != len(actual)):
            return f"{at} has {len(actual)} entries"
        pairs = zip((entry for entry in shown if entry != "…"), actual)
        return first(differs(one, other, f"{at}.{index}") for index, (one, other) in enumerate(pairs))
    return None if shown == actual else f"{at} is {json.dumps(actual, ensure_ascii=False)}, not {json.dumps(shown, ensure_ascii=False)}"


def first(found: object) -> str | None:
    return next((one for one in found if one), None)  # type: ignore[attr-defined]


page = Path(sys.argv[1])
found = blocks(page.read_text(encoding="utf-8"))
with tempfile.TemporaryDirectory() as folder:
    ran = [(index, text) for index, (language, text, _) in enumerate(found) if language == "sh"]
    script = "set -euo pipefail\n" + "".join(f"{{\n{text}\n}} >{folder}/{index}.out\n" for index, text in ran)
    environment = os.environ | {"URL": os.environ["STALHOF_URL"], "TOKEN": os.environ["STALHOF_TOKEN"]}
    shell = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, check=False)
    for index, (language, text, line) in enumerate(found):
        place = f"{page.name}:{line}"
        output = Path(folder, f"{index - 1}.out")
        if language == "sh" and not Path(folder, f"{index}.out").exists():
            sys.exit(f"{place}: was not reached")
        if language == "json" and (index == 0 or found[index - 1][0] != "sh"):
            sys.exit(f"{place}: what has printed this?")
        if language == "json":
            actual = output.read_text(encoding="utf-8")
            try:
                difference = differs(json.loads(text), json.loads(actual))
            except json.JSONDecodeError as error:
                difference = f"{error}: {actual[:500]}"
            if difference:
                sys.exit(f"{place}: {difference}")
        if language not in ("sh", "json", "python", "ts", "http"):
            sys.exit(f"{place}: nothing runs {language or 'this'}")
if shell.returncode != 0 or len(ran) < 10:
    sys.exit(f"{page.name}: the shell ended with {shell.returncode} after {len(ran)} examples")
print(f"All {len(ran)} examples of {page.name} are as they say.")
