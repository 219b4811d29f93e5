"""Delivery dates for programs: 200 questions in a call, over the demo's network."""

import itertools
import json

QUESTIONS = 200


def questions(server, tenant):
    """Questions about the demo's own articles, from the warehouses that stock them to each node in turn."""
    nodes = [node["name"] for node in server.call("GET", "/api/admin/shipping-nodes?filter[active]=true&page[size]=200")["data"]]
    stocks = server.call("GET", f"/api/admin/stocks?tenant_id={tenant}&page[size]=200&sort=updated_at")["data"]
    numbers = list(dict.fromkeys(stock["article"]["article_number"] for stock in stocks))
    pairs = itertools.islice(zip(itertools.cycle(numbers), itertools.cycle(nodes)), QUESTIONS)
    return [{"article_number": number, "quantity": "1", "to": node} for number, node in pairs]


def measure_deliveries(bench, server):
    """Measures calls of 200 questions, plain and with explanations; every answer must be a date or a reason."""
    tenants = server.call("GET", "/api/admin/tenants?page[size]=200")["data"]
    tenant = next(tenant["id"] for tenant in tenants if tenant["short_code"] == "NORD")
    asked = questions(server, tenant)
    path = f"/api/v1/delivery-dates?tenant_id={tenant}"
    dates = server.call("POST", path, {"questions": asked})["data"]
    faults = [date for date in dates if date["errors"] or (date["arrives_at"] is None) == (date["no_way"] is None)]
    if faults or len(dates) != QUESTIONS or not any(date["arrives_at"] for date in dates):
        bench.report.fail(server, f"delivery dates: {len(dates)} answers, {len(faults)} of them none: {faults[:1]}")
    for point, explain in (("delivery dates, 200 questions a call", False), ("delivery dates, 200 explained questions a call", True)):
        body = {"questions": [{**question, "explain": explain} for question in asked]}
        bench.point(server, "deliveries", point, [f"POST {path} {json.dumps(body)}"])
