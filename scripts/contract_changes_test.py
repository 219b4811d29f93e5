"""Test cases for each rule of scripts/contract-changes: python3 scripts/contract_changes_test.py"""

import copy
import importlib.machinery
import importlib.util
import sys
import unittest
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("contract_changes", str(Path(__file__).with_name("contract-changes")))
specification = importlib.util.spec_from_loader("contract_changes", loader)
assert specification
contract_changes = importlib.util.module_from_spec(specification)
loader.exec_module(contract_changes)

SAMPLE = {
    "paths": {
        "/api/v1/stocks": {
            "put": {
                "operationId": "v1.put_stocks",
                "x-permission": "import.create",
                "security": [{"session": []}, {"token": ["import-stocks"]}],
                "parameters": [{"in": "query", "name": "tenant_id", "schema": {"type": "integer"}}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}},
                "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Result"}}}}},
            }
        }
    },
    "components": {
        "schemas": {
            "Item": {
                "type": "object",
                "required": ["number"],
                "properties": {
                    "number": {"type": "string", "maxLength": 255},
                    "unit": {"type": "string", "enum": ["kg", "t"]},
                },
            },
            "Result": {
                "type": "object",
                "required": ["id", "result"],
                "properties": {"id": {"type": ["integer", "null"]}, "result": {"type": "string", "enum": ["created"]}},
            },
        }
    },
}


def operation(document: dict) -> dict:
    return document["paths"]["/api/v1/stocks"]["put"]


def schema(document: dict, name: str) -> dict:
    return document["components"]["schemas"][name]


def field(document: dict, of: str, name: str) -> dict:
    return schema(document, of)["properties"][name]


BREAKING: dict[str, Callable[[dict], object]] = {
    "the operation is gone": lambda d: d["paths"].clear(),
    "needs `stock.update`, not `import.create`": lambda d: operation(d).update({"x-permission": "stock.update"}),
    "the ability `import-stocks` opens it no longer": lambda d: operation(d).update(security=[{"session": []}]),
    "the parameter `query tenant_id` is gone": lambda d: operation(d).update(parameters=[]),
    "the parameter `query tenant_id` became required": lambda d: operation(d)["parameters"][0].update(required=True),
    "request: the field `unit` is gone": lambda d: schema(d, "Item")["properties"].pop("unit"),
    "request: the field `unit` became required": lambda d: schema(d, "Item")["required"].append("unit"),
    "request: the value `t` is gone": lambda d: field(d, "Item", "unit")["enum"].remove("t"),
    "request: `maxLength` `255` became `50`": lambda d: field(d, "Item", "number").update(maxLength=50),
    "request: string became integer": lambda d: field(d, "Item", "number").update(type="integer"),
    "answer: the field `id` is gone": lambda d: schema(d, "Result")["properties"].pop("id"),
    "answer: the field `id` became optional": lambda d: schema(d, "Result")["required"].remove("id"),
    "answer: string became null or string": lambda d: field(d, "Result", "result").update(type=["string", "null"]),
    "the status 200 is gone": lambda d: operation(d)["responses"].clear(),
}

NOT_BREAKING: dict[str, Callable[[dict], object]] = {
    "new: Reads.": lambda d: d["paths"]["/api/v1/stocks"].update(
        get={"operationId": "v1.stocks", "summary": "Reads.", "responses": {}}
    ),
    "deprecated: Call another.": lambda d: operation(d).update(deprecated=True, description="Call another.\n\nMore."),
    "the parameter `query since` is new": lambda d: operation(d)["parameters"].append({"in": "query", "name": "since"}),
    "request: the field `note` is new": lambda d: schema(d, "Item")["properties"].update(note={"type": "string"}),
    "request: the field `number` became optional": lambda d: schema(d, "Item")["required"].clear(),
    "request: the value `lb` is new": lambda d: field(d, "Item", "unit")["enum"].append("lb"),
    "request: `maxLength` `255` became nothing": lambda d: field(d, "Item", "number").pop("maxLength"),
    "request: string became null or string": lambda d: field(d, "Item", "number").update(type=["string", "null"]),
    "answer: the field `note` is new": lambda d: schema(d, "Result")["properties"].update(note={"type": "string"}),
    "answer: integer or null became integer": lambda d: field(d, "Result", "id").update(type="integer"),
    "answer: the value `held` is new": lambda d: field(d, "Result", "result")["enum"].append("held"),
    "answer: the field `more` is new": lambda d: (
        d["components"]["schemas"].update(Other=copy.deepcopy(schema(d, "Result"))),
        field(d, "Other", "id") and schema(d, "Other")["properties"].update(more={"type": "string"}),
        operation(d)["responses"]["200"]["content"]["application/json"].update(schema={"$ref": "#/components/schemas/Other"}),
    ),
    "the status 409 is new": lambda d: operation(d)["responses"].update({"409": {}}),
}


class Rules(unittest.TestCase):
    def changes(self, change: Callable[[dict], object]) -> tuple[list[str], list[str]]:
        document = copy.deepcopy(SAMPLE)
        change(document)
        changes = contract_changes.compare(SAMPLE, document)
        return [text for _, text in changes.breaking], [text for _, text in changes.other]

    def test_breaking(self) -> None:
        for text, change in BREAKING.items():
            with self.subTest(text):
                self.assertEqual(self.changes(change), ([text], []))

    def test_not_breaking(self) -> None:
        for text, change in NOT_BREAKING.items():
            with self.subTest(text):
                self.assertEqual(self.changes(change), ([], [text]))

    def test_no_change(self) -> None:
        self.assertEqual(contract_changes.compare(SAMPLE, SAMPLE).markdown(), "No changes.")


if __name__ == "__main__":
    unittest.main()
