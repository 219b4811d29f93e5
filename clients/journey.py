"""Typical calls of a connector, with the client generated from the contract by openapi-python-client."""

import os
import time
from io import BytesIO

from stalhof.api.articles import articles_list, articles_put_by_number, articles_view_by_number
from stalhof.api.imports import imports_create, imports_errors, imports_view
from stalhof.api.materials import (
    materials_create,
    materials_export,
    materials_list,
    materials_patch_by_name,
    materials_put_by_name,
    materials_view_by_name,
)
from stalhof.api.tenants import tenants_list
from stalhof.api.v1 import v1_articles, v1_changes, v1_put_prices, v1_put_stocks
from stalhof.client import AuthenticatedClient
from stalhof.models.article import Article
from stalhof.models.article_input import ArticleInput
from stalhof.models.article_row_page import ArticleRowPage
from stalhof.models.articles_list_filter import ArticlesListFilter
from stalhof.models.code import Code
from stalhof.models.import_ import Import
from stalhof.models.import_input import ImportInput
from stalhof.models.import_row_outcome import ImportRowOutcome
from stalhof.models.import_status import ImportStatus
from stalhof.models.import_type import ImportType
from stalhof.models.item_results import ItemResults
from stalhof.models.material import Material
from stalhof.models.material_input import MaterialInput
from stalhof.models.material_page import MaterialPage
from stalhof.models.materials_export_format import MaterialsExportFormat
from stalhof.models.materials_list_filter import MaterialsListFilter
from stalhof.models.merge_patch import MergePatch
from stalhof.models.money import Money
from stalhof.models.price import Price
from stalhof.models.price_item import PriceItem
from stalhof.models.price_items import PriceItems
from stalhof.models.problem import Problem
from stalhof.models.problem_error_codes_type_0 import ProblemErrorCodesType0
from stalhof.models.refused_row_page import RefusedRowPage
from stalhof.models.stock_changes import StockChanges
from stalhof.models.stock_item import StockItem
from stalhof.models.stock_items import StockItems
from stalhof.models.tenant_page import TenantPage
from stalhof.models.unit import Unit
from stalhof.types import File

NUMBER = "HEB-200-S235JR-12.1"
client = AuthenticatedClient(base_url=os.environ["STALHOF_URL"], token=os.environ["STALHOF_TOKEN"])

# lists: pages, filters and searches
first = articles_list.sync(client=client, pagesize=2)
assert isinstance(first, ArticleRowPage) and len(first.data) == 2 and first.meta.total > 100
heavy = MaterialsListFilter(filtername=["S235", "S355"], filterdensity_greater_equals="7.8")
found = materials_list.sync(client=client, filter_=heavy, pagesize=200)
assert isinstance(found, MaterialPage) and found.meta.total > 1
assert all("S235" in row.name or "S355" in row.name for row in found.data)
search = articles_list.sync(client=client, filter_=ArticlesListFilter(filtersearch="heb 200 s235"))
assert isinstance(search, ArticleRowPage) and search.data[0].article_number.startswith("HEB-200-S235JR")

# read by number, and written back unchanged
article = articles_view_by_number.sync(NUMBER, client=client)
assert isinstance(article, Article) and article.article_number == NUMBER
assert article.material is not None
read = article.to_dict() | {"article_type_id": article.article_type.id, "material_id": article.material.id}
written = articles_put_by_number.sync(NUMBER, client=client, body=ArticleInput.from_dict(read))
assert isinstance(written, Article) and written.values == article.values, written
nothing = articles_view_by_number.sync("HEB-0", client=client)
assert isinstance(nothing, Problem) and nothing.code == Code.NOT_FOUND

# create, change, refusal
created = materials_create.sync(client=client, body=MaterialInput(name="S235JRC+PY", density="7.85"))
assert isinstance(created, Material) and created.density == "7.85"
by_name = materials_view_by_name.sync("s235jrc+py", client=client)
assert isinstance(by_name, Material) and by_name.id == created.id
by_name.display_name = "Blankstahl"
changed = materials_put_by_name.sync(by_name.name, client=client, body=MaterialInput.from_dict(by_name.to_dict()))
assert isinstance(changed, Material) and changed.display_name == "Blankstahl"
patch = MergePatch()
patch["material_number"] = "1.0122"
patched = materials_patch_by_name.sync(by_name.name, client=client, body=patch)
assert isinstance(patched, Material) and patched.material_number == "1.0122" and patched.display_name == "Blankstahl"
stale = materials_put_by_name.sync(by_name.name, client=client, body=MaterialInput.from_dict(by_name.to_dict()))
assert isinstance(stale, Problem) and stale.code == Code.STALE
taken = materials_create.sync(client=client, body=MaterialInput(name="s235jrc+py"))
assert isinstance(taken, Problem) and taken.code == Code.INVALID
assert isinstance(taken.error_codes, ProblemErrorCodesType0) and taken.error_codes["name"] == [Code.TAKEN]
table = materials_export.sync(client=client, format_=MaterialsExportFormat.CSV)
assert isinstance(table, File) and "S235JRC+PY" in table.payload.read().decode("utf-8-sig")

# import: upload, waiting, refused rows
tenants = tenants_list.sync(client=client)
assert isinstance(tenants, TenantPage)
tenant = tenants.data[0].id
rows = "Artikelnummer;Werkstoff\r\n" f"{NUMBER};S235JR\r\n" "GIBT-ES-NICHT;S235JR\r\n"
file = File(payload=BytesIO(rows.encode()), file_name="liste.csv", mime_type="text/csv")
upload = ImportInput(file=file, type_=ImportType.ARTICLE, name="Python", dry_run=True)
imported = imports_create.sync(client=client, body=upload, tenant_id=tenant)
assert isinstance(imported, Import), imported
until = time.monotonic() + 60
while imported.status in (ImportStatus.QUEUED, ImportStatus.INPROGRESS) and time.monotonic() < until:
    time.sleep(0.2)
    seen = imports_view.sync(imported.id, client=client, tenant_id=tenant)
    assert isinstance(seen, Import)
    imported = seen
assert imported.status == ImportStatus.PARTIALSUCCESS and imported.rows_refused == 1, imported
refused = imports_errors.sync(imported.id, client=client, tenant_id=tenant)
assert isinstance(refused, RefusedRowPage) and refused.data[0].line == 3
assert all(isinstance(error.code, Code) for error in refused.data[0].errors) and refused.data[0].errors

# bulk calls by number: a stock, its price once under an idempotency key, the change feed
BULK = "HEB-360-S235JR-12.1"
found_articles = v1_articles.sync(client=client, number=[BULK.lower()])
assert isinstance(found_articles, ArticleRowPage) and found_articles.data[0].article_number == BULK
stocks = StockItems(items=[StockItem(article_number=BULK, warehouse_short_code="HH", length="5000", quantity="20")])
put = v1_put_stocks.sync(client=client, body=stocks, tenant_id=tenant)
assert isinstance(put, ItemResults) and put.data[0].result == ImportRowOutcome.CREATED, put
before = v1_changes.sync(client=client, tenant_id=tenant)
while isinstance(before, StockChanges) and before.has_more:
    before = v1_changes.sync(client=client, tenant_id=tenant, since=before.cursor)
assert isinstance(before, StockChanges)
price = Money(price="90", price_quantity="100", unit=Unit.KG)
prices = PriceItems(
    items=[
        PriceItem(article_number=BULK, warehouse_short_code="HH", length="5000", external_price=price),
        PriceItem(article_number="HEB-0", warehouse_short_code="HH", external_price=price),
    ]
)
for _ in range(2):
    priced = v1_put_prices.sync(client=client, body=prices, tenant_id=tenant, idempotency_key="journey-1")
    assert isinstance(priced, ItemResults), priced
    assert [item.result for item in priced.data] == [ImportRowOutcome.UPDATED, ImportRowOutcome.REFUSED], priced
    assert priced.data[1].errors[0].field == "article_number"
after = v1_changes.sync(client=client, tenant_id=tenant, since=before.cursor)
assert isinstance(after, StockChanges) and len(after.data) == 1 and after.data[0].id == put.data[0].id
assert isinstance(after.data[0].listing, Price) and after.data[0].listing.external_price == price

unknown = AuthenticatedClient(base_url=os.environ["STALHOF_URL"], token="pat_unknown")
stranger = articles_list.sync(client=unknown)
assert isinstance(stranger, Problem) and stranger.code == Code.UNAUTHENTICATED
print("The Python client does all of it.")
