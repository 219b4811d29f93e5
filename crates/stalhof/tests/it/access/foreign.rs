//! Ids of other tenants' records, wherever the contract takes an id: they are answered like ids that do not
//! exist, nothing is written, and nothing of the record is revealed. The places are read from the contract; a
//! new one needs an entry here.

use std::cell::Cell;

use actix_web::http::Method;
use serde_json::{Value, json};
use store::resource;
use values::{Permission, PermissionSet};

use super::{Operation, operations, tokens::tables};
use crate::{
    catalog::{ARTICLES, Catalog, id},
    deliveries::node,
    document::{document, resolved},
    support::{Answer, Client, Form, PASSWORD, TestApp},
    unresolved_numbers::unresolved,
    warehouses::warehouse,
};

/// Meaning of an integer in the contract.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meaning {
    /// Integer that is not an id, or an id that is not looked up.
    Number,
    /// Record of the platform, visible to all users with the permission for the operation.
    Shared,
    /// Record that a tenant or a user owns.
    Owned(Record),
}

use Meaning::{Number, Owned, Shared};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Record {
    Closure,
    ExternalApi,
    FtpSettings,
    HeldPrice,
    Import,
    ImportProfile,
    Matching,
    PriceAdjustment,
    PriceList,
    PriceListPrice,
    ProcessingPrice,
    Role,
    SampleCart,
    Session,
    Stock,
    SurchargeTable,
    Tenant,
    Token,
    UnresolvedNumber,
    User,
    View,
    Warehouse,
    Webhook,
    WebhookDelivery,
}

impl Record {
    const ALL: [Self; 24] = [
        Self::Closure,
        Self::ExternalApi,
        Self::FtpSettings,
        Self::HeldPrice,
        Self::Import,
        Self::ImportProfile,
        Self::Matching,
        Self::PriceAdjustment,
        Self::PriceList,
        Self::PriceListPrice,
        Self::ProcessingPrice,
        Self::Role,
        Self::SampleCart,
        Self::Session,
        Self::Stock,
        Self::SurchargeTable,
        Self::Tenant,
        Self::Token,
        Self::UnresolvedNumber,
        Self::User,
        Self::View,
        Self::Warehouse,
        Self::Webhook,
        Self::WebhookDelivery,
    ];
}

/// Owned records by the table of their resource. A missing one leaves the test without a target.
const OWNED: &[(&str, Record)] = &[
    ("closure", Record::Closure),
    ("external_api", Record::ExternalApi),
    ("ftp_settings", Record::FtpSettings),
    ("held_price", Record::HeldPrice),
    ("import", Record::Import),
    ("import_profile", Record::ImportProfile),
    ("matching", Record::Matching),
    ("personal_access_token", Record::Token),
    ("price_adjustment", Record::PriceAdjustment),
    ("price_list", Record::PriceList),
    ("price_list_entry", Record::PriceListPrice),
    ("processing_price", Record::ProcessingPrice),
    ("role", Record::Role),
    ("sample_cart", Record::SampleCart),
    ("saved_view", Record::View),
    ("stock", Record::Stock),
    ("surcharge_table", Record::SurchargeTable),
    ("unresolved_number", Record::UnresolvedNumber),
    ("tenant", Record::Tenant), // the platform's, but everybody sees their own alone
    ("user", Record::User),
    ("warehouse", Record::Warehouse),
    ("webhook", Record::Webhook),
];

/// Fields that no resource has declared as its reference, or that mean something else in a body.
const FIELDS: &[(&str, Meaning)] = &[
    ("article_types", Shared),
    ("articles", Shared),
    ("before_id", Shared),
    ("buyer_id", Shared), // every trading company may ask all others
    ("categories", Shared),
    ("category_id", Shared),
    ("cache_seconds", Number),
    ("change_articles", Number),
    ("count", Number),
    ("day", Number), // of a schedule
    ("day_2", Number),
    ("port", Number),
    ("departures_per_week", Number),
    ("deletes", Number), // numbers of records and prices that the caller saw deleted
    ("prices", Number),
    ("records", Number),
    ("confirm_removals", Number),
    ("article_type_id", Shared),
    ("excluded_tenant_ids", Shared), // partners
    ("from_price_list_id", Owned(Record::PriceList)),
    ("import_id", Owned(Record::Import)),
    ("lead_time", Number),
    ("material_id", Shared),
    ("materials", Shared),
    ("price_guard_percent", Number),
    ("line", Number),
    ("lines_max", Number),
    ("loading_duration", Number),
    ("node_id", Shared),
    ("number_id", Owned(Record::UnresolvedNumber)),
    ("option_id", Shared),
    ("overlap_hours", Number),
    ("timeout_ms", Number),
    ("position", Number),
    ("price_ids", Owned(Record::PriceListPrice)),
    ("preparation_duration", Number),
    ("preparation_duration_before", Number),
    ("processing_id", Shared),
    ("record_id", Number), // of records of all kinds, within a history that is the caller's own
    ("run_id", Number),    // of a feed, within settings that are the caller's own
    ("seen", Number),      // the order that was looked at
    ("seller_id", Shared),
    ("size", Number),
    ("tenant_ids", Shared), // partners; of groups the platform alone says it
    ("times", Number),
    ("travel_duration", Number),
    ("unloading_duration", Number),
    ("to_node_id", Shared),
    ("value", Shared), // what a bulk change sets: a material, a group
    ("version", Number),
    ("view_id", Owned(Record::View)),
    ("year", Number),
];

/// Meaning of `id` in operations that belong to no resource.
const OTHERS: &[(&str, Meaning)] = &[
    ("audit", Number), // entries of a history that is the caller's own
    ("article_images", Shared),
    ("category_images", Shared),
    ("listing", Owned(Record::Stock)),
    ("listings", Owned(Record::Stock)),
    ("partners", Shared), // every trading company finds all others
    ("price_list", Owned(Record::PriceList)),
    ("price_list_changes", Owned(Record::PriceList)),
    ("prices_of_list", Owned(Record::PriceList)),
    ("put_prices_of_list", Owned(Record::PriceList)),
    ("sessions", Owned(Record::Session)),
    ("stock", Owned(Record::Stock)),
    ("webhook_deliveries", Owned(Record::WebhookDelivery)),
];

/// Meaning of ids of a table's records.
fn meaning_of(table: &str) -> Meaning {
    let owned = OWNED.iter().find(|(known, _)| *known == table).map(|(_, record)| Owned(*record));
    let resource = resource::all().iter().find(|resource| resource.table() == table).unwrap();
    assert!(owned.is_some() || !resource.is_owned(), "{table}: how is a record of it made?");
    owned.unwrap_or(Shared)
}

/// Place at which an operation takes an integer.
#[derive(Debug, Clone, PartialEq)]
enum Place {
    Path(String),
    Query(String),
    /// Path of names in the body; an empty name stands for a list.
    Body(Vec<String>),
}

impl Place {
    fn name(&self) -> &str {
        match self {
            Self::Path(name) => name,
            // `filter[role_id_not_equals]` and similar ones
            Self::Query(name) => {
                let name = name.strip_prefix("filter[").map_or(&**name, |name| name.trim_end_matches(']'));
                let comparisons =
                    ["_not_equals", "_lesser_than", "_lesser_equals", "_greater_than", "_greater_equals"];
                comparisons.iter().find_map(|comparison| name.strip_suffix(comparison)).unwrap_or(name)
            }
            Self::Body(names) => names.iter().rfind(|name| !name.is_empty()).unwrap(),
        }
    }

    fn is_filter(&self) -> bool {
        matches!(self, Self::Query(name) if name.starts_with("filter["))
    }

    fn meaning(&self, operation: &Operation) -> Meaning {
        let name = self.name();
        let resource = match operation.id.split_once('.').unwrap() {
            ("v1", list) => list,
            (resource, _) => resource,
        };
        let known = |list: &[(&str, Meaning)], name: &str| {
            list.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
        };
        let mut resources = resource::all().iter();
        let found = if name == "id" || name == "ids" {
            let own = resources.find(|known| known.name == resource);
            own.map(|own| meaning_of(own.table())).or_else(|| known(OTHERS, resource))
        } else {
            // `role_ids` are several of `role_id`
            let mut references = resources.flat_map(|resource| resource.references);
            let reference = references.find(|to| to.field == name || format!("{}s", to.field) == name);
            known(FIELDS, name).or_else(|| reference.map(|to| meaning_of(to.table())))
        };
        found.unwrap_or_else(|| panic!("{}: whose record is {self:?}?", operation.id))
    }
}

/// All places of an operation.
fn places(document: &Value, operation: &Operation) -> Vec<Place> {
    let of = &document["paths"][&operation.path][operation.method.as_str().to_lowercase()];
    let mut places = Vec::new();
    for parameter in of["parameters"].as_array().into_iter().flatten() {
        let parameter = resolved(document, parameter);
        let name = parameter["name"].as_str().unwrap();
        let schema = &parameter["schema"];
        // the filters of a list are one object, whose fields are separate parameters
        let parts = schema["properties"].as_object().into_iter().flatten();
        let whole = schema["properties"].is_null().then_some((name, schema));
        for (name, schema) in parts.map(|(name, schema)| (&**name, schema)).chain(whole) {
            let mut found = Vec::new();
            numbers(document, schema, &mut Vec::new(), &mut found);
            if !found.is_empty() {
                let place = if parameter["in"] == "path" { Place::Path } else { Place::Query };
                places.push(place(name.to_owned()));
            }
        }
    }
    let body = resolved(document, &of["requestBody"]);
    // uploads name a price list, which has a test of its own
    let contents = body["content"].as_object().into_iter().flatten();
    for (_, content) in contents.filter(|(kind, _)| *kind != "multipart/form-data") {
        let mut found = Vec::new();
        numbers(document, &content["schema"], &mut Vec::new(), &mut found);
        places.extend(found.into_iter().map(Place::Body));
    }
    places
}

/// Maximum length of a path to an integer.
const DEEP: usize = 8;

/// Collects the paths to all integers within a schema.
fn numbers(document: &Value, schema: &Value, way: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    if let Some(reference) = schema["$ref"].as_str() {
        // trees are recursive
        return if way.len() < DEEP {
            numbers(document, document.pointer(&reference[1..]).unwrap(), way, found);
        };
    }
    for choice in ["allOf", "anyOf", "oneOf"].iter().filter_map(|of| schema[of].as_array()).flatten() {
        numbers(document, choice, way, found);
    }
    if schema["format"] == "int64" && !found.contains(way) {
        found.push(way.clone());
    }
    let fields = schema["properties"].as_object().into_iter().flatten();
    let items = schema.get("items").into_iter().map(|items| ("", items));
    for (name, schema) in fields.map(|(name, schema)| (&**name, schema)).chain(items) {
        way.push(name.to_owned());
        numbers(document, schema, way, found);
        way.pop();
    }
}

/// Two independent companies.
struct Houses {
    app: TestApp,
    platform: Client,
    north: House,
    south: House,
    named: Cell<u32>,
}

struct House {
    tenant: i64,
    /// Article of the platform, for stocks.
    article: i64,
    /// Node of the platform, for deliveries.
    node: i64,
    email: String,
    person: Client,
}

/// Single record of a list, for resources that a tenant has only once.
async fn only_one(person: &Client, path: &str, input: Value) -> i64 {
    let list = person.get(path).await.is(200);
    if let Some(settings) = list["data"].get(0) {
        id(settings)
    } else {
        id(&person.post(path, input).await.is(201))
    }
}

impl Houses {
    async fn new() -> Self {
        let catalog = Catalog::new().await;
        let article = id(&catalog.admin.post(ARTICLES, catalog.article(0, "6")).await.is(201));
        let app = catalog.app;
        let group = json!({ "name": "Verbund", "description": null, "tenant_ids": [] });
        let platform = app.platform().await;
        platform.post("/api/admin/tenant-groups", group).await.is(201);
        let node = node(&platform, "Linz", json!({})).await;
        let mut houses = Vec::new();
        for tenant in [app.north, app.south] {
            let person = app.caller(Some(tenant), PermissionSet::all()).await;
            let email = person.get("/api/users/me").await.is(200)["email"].as_str().unwrap().to_owned();
            houses.push(House { tenant, article, node, email, person });
        }
        let south = houses.pop().unwrap();
        Self { app, platform, north: houses.pop().unwrap(), south, named: Cell::new(0) }
    }

    fn name(&self) -> String {
        self.named.set(self.named.get() + 1);
        format!("Muster{}", self.named.get())
    }

    /// Creates a record of a house.
    #[expect(clippy::too_many_lines, reason = "an arm for each kind of record")]
    async fn record(&self, house: &House, record: Record) -> i64 {
        let (name, person) = (self.name(), &house.person);
        match record {
            Record::Tenant => house.tenant,
            Record::Closure => {
                // a day can have only one closure, so each is a day later than the one before
                let mut input = body_of(&name, house, "ClosureInput");
                input["date"] = json!(day(self.named.get()));
                id(&person.post("/api/admin/closures", input).await.is(201))
            }
            Record::Matching => {
                let mut input = body_of(&name, house, "MatchingInput");
                input["warehouse_id"] = Box::pin(self.record(house, Record::Warehouse)).await.into();
                id(&person.post("/api/admin/matchings", input).await.is(201))
            }
            Record::Stock => {
                let mut input = body_of(&name, house, "StockInput");
                input["warehouse_id"] = Box::pin(self.record(house, Record::Warehouse)).await.into();
                id(&person.post("/api/admin/stocks", input).await.is(201))
            }
            Record::HeldPrice => {
                let stock = Box::pin(self.record(house, Record::Stock)).await;
                let uri = format!("/api/admin/prices/{stock}");
                for price in ["10", "1000"] {
                    let prices = json!({ "external_price": { "price": price, "unit": "m" } });
                    person.put(&uri, prices).await.is(200);
                }
                let held =
                    person.get(&format!("/api/admin/held-prices?filter[stock_id]={stock}")).await.is(200);
                id(&held["data"][0])
            }
            Record::PriceAdjustment => {
                let input = body_of(&name, house, "PriceAdjustmentInput");
                id(&person.post("/api/admin/price-adjustments", input).await.is(201))
            }
            Record::SurchargeTable => {
                let input = body_of(&name, house, "SurchargeTableInput");
                id(&person.post("/api/admin/surcharge-tables", input).await.is(201))
            }
            Record::SampleCart => {
                let input = body_of(&name, house, "SampleCartInput");
                id(&person.post("/api/admin/sample-carts", input).await.is(201))
            }
            Record::PriceList => {
                let input = body_of(&name, house, "PriceListInput");
                id(&person.post("/api/admin/price-lists", input).await.is(201))
            }
            Record::PriceListPrice => {
                let list = Box::pin(self.record(house, Record::PriceList)).await;
                let price = json!({ "article_id": house.article, "price": { "price": "10", "unit": "m" } });
                let uri = format!("/api/admin/price-lists/{list}/prices");
                let prices = person.put(&uri, json!({ "prices": [price] })).await.is(200);
                id(&prices["data"][0])
            }
            Record::ProcessingPrice => {
                let sawing = json!({ "name": name, "type": "sawing", "article_number_addition_template": "-{schnittlaenge}" });
                let mut input = body_of(&name, house, "ProcessingPriceInput");
                input["processing_id"] =
                    id(&self.platform.post("/api/admin/processings", sawing).await.is(201)).into();
                id(&person.post("/api/admin/processing-prices", input).await.is(201))
            }
            Record::Warehouse => {
                let input = body_of(&name, house, "WarehouseInput");
                id(&person.post("/api/admin/warehouses", input).await.is(201))
            }
            Record::Import => {
                let form =
                    Form::new().field("type", "Article").file("Liste.csv", "Artikelnummer\r\nHEB-200\r\n");
                let uri = format!("/api/admin/imports?tenant_id={}", house.tenant);
                id(&form.send(&self.platform, &uri).await.is(201))
            }
            Record::ExternalApi => {
                let input = body_of(&name, house, "ExternalApiInput");
                only_one(person, crate::external_apis::PATH, input).await
            }
            Record::FtpSettings => {
                let input = body_of(&name, house, "FtpSettingsInput");
                only_one(person, "/api/admin/ftp-settings", input).await
            }
            Record::ImportProfile => {
                let input = body_of(&name, house, "ImportProfileInput");
                id(&person.post("/api/admin/import-profiles", input).await.is(201))
            }
            Record::Role => {
                id(&person.post("/api/admin/roles", json!({ "name": name, "permissions": [] })).await.is(201))
            }
            Record::Session => {
                let credentials = json!({ "email": house.email, "password": PASSWORD });
                let opened = person.post("/api/sessions", credentials).await.is(201);
                let other = self.app.with_token(opened["session"]["token"].as_str().unwrap());
                let sessions = other.get("/api/sessions").await.is(200);
                id(sessions["data"].as_array().unwrap().iter().find(|one| one["current"] == true).unwrap())
            }
            Record::Token => {
                let input = json!({ "name": name, "abilities": ["access-admin"] });
                id(&person.post("/api/admin/tokens", input).await.is(201)["token"])
            }
            Record::UnresolvedNumber => id(&Box::pin(unresolved(&self.app, person, &name, &name)).await),
            Record::User => {
                let input = body_of(&name, house, "UserInput");
                id(&person.post("/api/admin/users", input).await.is(201))
            }
            Record::Webhook => crate::webhooks::created(&self.app, person, &name).await,
            Record::WebhookDelivery => crate::webhooks::tested(&self.app, person, &name).await,
            Record::View => {
                id(&person.post("/api/admin/views", body_of(&name, house, "SavedViewInput")).await.is(201))
            }
        }
    }

    /// Call that is valid except for the id at this place; everything else in it is new and belongs to the
    /// caller.
    async fn aim(&self, document: &Value, operation: &Operation, place: &Place) -> Aim {
        let mut uri = operation.path.clone();
        for other in places(document, operation).iter().filter(|other| *other != place) {
            if let (Place::Path(name), Owned(record)) = (other, other.meaning(operation)) {
                let own = self.record(&self.north, record).await;
                uri = uri.replace(&format!("{{{name}}}"), &own.to_string());
            }
        }
        let of = &document["paths"][&operation.path][operation.method.as_str().to_lowercase()];
        let parameters = of["parameters"].as_array().into_iter().flatten();
        let parameters = parameters.map(|parameter| resolved(document, parameter));
        let demanded =
            parameters.filter(|parameter| parameter["in"] == "query" && parameter["required"] == true);
        let demanded = demanded.map(|parameter| {
            let schema = &parameter["schema"];
            let text = schema["enum"][0].as_str().unwrap_or("x");
            let value = if schema["type"] == "integer" { "2026" } else { text };
            format!("{}={value}&", parameter["name"].as_str().unwrap())
        });
        uri = format!("{uri}?{}", demanded.collect::<String>());
        let body = resolved(document, &of["requestBody"]);
        let schema = body["content"]["application/json"]["schema"]["$ref"].as_str();
        let schema = schema.filter(|_| !matches!(place, Place::Query(_)));
        let name = self.name();
        let schema = schema.map(|schema| schema.rsplit('/').next().unwrap());
        let own = match schema {
            Some("PriceAdjustmentImpactInput") => self.record(&self.north, Record::PriceAdjustment).await,
            Some("ProcessingPriceImpactInput") => self.record(&self.north, Record::ProcessingPrice).await,
            _ => 0,
        };
        let body = schema.map(|schema| {
            let asked = asked_change(&name, &self.north, schema, place, own);
            let mut body = asked.unwrap_or_else(|| body_of(&name, &self.north, schema));
            if operation.path.ends_with("/by-name/{name}") {
                // the name is in the path
                body.as_object_mut().unwrap().remove("name");
            }
            body
        });
        Aim { method: operation.method.clone(), uri, body, place: place.clone() }
    }

    async fn fire(&self, aim: &Aim, id: i64) -> Answer {
        let mut body = aim.body.clone();
        let mut uri = aim.uri.clone();
        match &aim.place {
            Place::Path(name) => uri = uri.replace(&format!("{{{name}}}"), &id.to_string()),
            Place::Query(name) => uri = format!("{uri}{name}={id}"),
            Place::Body(way) => put(body.as_mut().unwrap(), way, id),
        }
        let uri = uri.replace("{id}", "1").replace("{token}", "lnk_x");
        self.north.person.send(aim.method.clone(), &uri, body).await
    }
}

struct Aim {
    method: Method,
    uri: String,
    body: Option<Value>,
    place: Place,
}

fn day(number: u32) -> chrono::NaiveDate {
    chrono::NaiveDate::default() + chrono::Days::new(number.into())
}

/// Names of all permissions.
fn everything() -> Vec<&'static str> {
    PermissionSet::all().iter().map(Permission::as_str).collect()
}

/// Valid body of an operation that takes the id of an owned record.
#[expect(clippy::too_many_lines, reason = "a line for each schema")]
fn body_of(name: &str, house: &House, schema: &str) -> Value {
    match schema {
        "CeilingInput" => json!({ "permissions": everything() }),
        "DefaultViewInput" => json!({ "list": "materials", "view_id": null }),
        "ExternalApiInput" => crate::external_apis::settings(name),
        "ExternalApiTestInput" => json!({
            "settings": crate::external_apis::settings(name), "endpoint": "availability", "article_number": "1"
        }),
        "FtpHostKeyInput" => json!({ "host_key": format!("ssh-ed25519 SHA256:{}", "k".repeat(43)) }),
        "FtpPauseInput" | "FtpRunInput" => json!({ "file": "price" }),
        "FtpRepeatInput" => json!({ "run_id": 1 }),
        "FtpScheduleInput" => json!({ "schedule": { "type": "daily", "time": "06:00" } }),
        "FtpTestInput" => json!({ "file": null, "settings": crate::ftp_settings::settings(name) }),
        "FtpSettingsInput" => crate::ftp_settings::settings(name),
        "ImportProfileInput" => json!({ "name": name, "type": "Stock", "settings": {}, "mapping": [] }),
        "RoleInput" => json!({ "name": name, "permissions": [] }),
        "SavedViewInput" => json!({
            "list": "materials", "name": name, "shared": true,
            "state": { "filters": [], "sort": "name", "size": 20, "columns": ["name"], "density": "compact" }
        }),
        "TenantGroupInput" => json!({ "name": name, "description": null, "tenant_ids": [] }),
        "TenantInput" => json!({ "company": name, "short_code": name, "permissions": everything() }),
        "UserInput" => json!({
            "name": name, "email": format!("{name}@test.example"),
            "tenant_id": house.tenant, "role_ids": [], "permissions": null
        }),
        "ClosureInput" => json!({ "date": "2026-12-24", "name": name, "warehouse_id": null }),
        "MatchingInput" => json!({ "warehouse_id": null, "external_warehouse_identifier": name }),
        "StockInput" => json!({ "article_id": house.article, "availability_type": "always" }),
        "PriceAdjustmentInput" => json!({
            "name": name, "operation": "discount", "value": "3", "calculation_type": "relativeToBase",
            "apply_to": { "kind": "item_type", "item_types": ["article"] },
        }),
        "ShippingNodeInput" => json!({ "name": name, "active": true }),
        "SurchargeTableInput" => json!({ "name": name, "kind": "alloy", "keyed_by": "material" }),
        "SurchargeValuesInput" => json!({ "values": [{ "month": "2026-12", "value": "1650" }] }),
        "ProcessingPriceInput" => json!({ "processing_id": 1, "price": { "price": "4.5", "unit": "piece" } }),
        "PriceListInput" => json!({
            "name": name, "owner_tenant_id": house.tenant, "type": "sales", "scope": "own",
            "valid_from": "2099-01-01T00:00:00Z", "limited": false,
        }),
        "SampleCartInput" => {
            json!({ "name": name, "lines": [{ "article_id": house.article, "quantity": "1" }] })
        }
        "PriceAdjustmentImpactInput" => json!({ "order": { "ids": [], "seen": [] } }),
        "PriceAdjustmentOrder" => json!({ "ids": [], "seen": [] }),
        "PriceListCopy" => json!({ "name": name, "valid_from": "2099-01-01T00:00:00Z" }),
        "PriceListTimelineInput" => json!({ "article_id": house.article, "type": "sales" }),
        "PriceListPricesInput" => {
            json!({ "prices": [{ "article_id": house.article, "price": { "price": "10", "unit": "m" } }] })
        }
        "PriceListItems" => {
            json!({ "items": [{ "article_number": "NIE", "price": { "price": "10", "unit": "m" } }] })
        }
        "PriceListChange" => json!({ "change": { "percent": "1" } }),
        "HeldPriceListPriceDecisions" => {
            json!({ "prices": [{ "id": 0, "version": 1 }], "decision": "refuse" })
        }
        "PriceInput" => json!({ "external_price": null }),
        "PricesInput" | "PricesImpactInput" => json!({ "prices": [{ "id": 0 }] }),
        "QuotesInput" => {
            json!({ "carts": [{
                "at": "2026-12-01T12:00:00Z", "lines": [{ "article_id": house.article, "quantity": "1" }]
            }] })
        }
        "PriceOverTimeInput" => json!({
            "article_id": house.article, "quantity": "1", "from": "2026-12-01T12:00:00Z", "until": "2026-12-31T12:00:00Z",
        }),
        "BulkHeldPriceChange" => {
            json!({ "selection": { "ids": null, "count": 1 }, "change": { "field": "decision", "value": "refuse" } })
        }
        "BulkUnresolvedNumberChange" => {
            json!({ "selection": { "ids": null, "count": 1 }, "change": { "field": "ignored", "value": true } })
        }
        "BulkStockFieldChange" => {
            json!({ "selection": { "ids": null, "count": 1 }, "change": { "field": "lead_time", "value": 60 } })
        }
        "NumberMatches" => json!({ "matches": [{ "number_id": 0, "target": "NIE" }] }),
        "ImportCorrectionInput" => json!({ "rows": [{ "line": 2, "cells": [name] }] }),
        "ItineraryInput" | "OrderDaysInput" => json!({ "from": {}, "to_node_id": house.node }),
        "StockDatesInput" => json!({ "stock_ids": [], "to_node_id": house.node }),
        "CartDatesInput" => json!({
            "lines": [{ "article_id": house.article, "quantity": "1" }], "to_node_id": house.node
        }),
        "DeliveryDatesInput" => json!({ "questions": [{ "warehouse_short_code": "NIE", "to": "NIE" }] }),
        "ReadinessInput" => json!({ "at": "2026-11-23T10:00:00Z" }),
        "Selection" => json!({ "ids": null, "count": 1 }),
        "ConfirmedSelection" => json!({ "ids": null, "count": 1, "confirm": "1" }),
        "WarehouseInput" => warehouse(name, name),
        "ConditionsInput"
        | "ImportUndoInput"
        | "MatchInput"
        | "MergePatch"
        | "PriceListArchive"
        | "PriceListCopyPreview"
        | "PriceListImpactInput"
        | "ProcessingPriceImpactInput"
        | "SampleCartAcceptance"
        | "SurchargeTableImpactInput"
        | "TokenRotation" => {
            json!({})
        }
        "TokenName" | "UserPatch" => json!({ "name": name }),
        _ => crate::webhooks::body_of(schema, name).unwrap_or_else(|| panic!("a valid {schema} is needed")),
    }
}

/// Request for an impact, with the variant that a place belongs to; for an adjustment of the caller.
fn asked_change(name: &str, house: &House, schema: &str, place: &Place, own: i64) -> Option<Value> {
    let Place::Body(way) = place else { return None };
    let input = |schema: &str| body_of(name, house, schema);
    match (schema, way.first()?.as_str()) {
        ("PriceAdjustmentImpactInput", "create") => Some(json!({ "create": input("PriceAdjustmentInput") })),
        ("PriceAdjustmentImpactInput", "update") => {
            Some(json!({ "update": { "id": own, "input": input("PriceAdjustmentInput") } }))
        }
        ("PriceAdjustmentImpactInput" | "ProcessingPriceImpactInput", "delete") => {
            Some(json!({ "delete": { "id": own } }))
        }
        ("ProcessingPriceImpactInput", "create") => Some(json!({ "create": input("ProcessingPriceInput") })),
        ("ProcessingPriceImpactInput", "update") => {
            Some(json!({ "update": { "id": own, "input": input("ProcessingPriceInput") } }))
        }
        ("SurchargeTableImpactInput", "change") => Some(json!({ "change": input("SurchargeTableInput") })),
        ("SurchargeTableImpactInput", "values") => Some(json!({ "values": input("SurchargeValuesInput") })),
        ("PriceListImpactInput", "copy") => Some(json!({ "copy": input("PriceListCopy") })),
        ("PriceListImpactInput", "change") => Some(json!({ "change": input("PriceListInput") })),
        ("PriceListImpactInput", "prices") => Some(input("PriceListPricesInput")),
        _ => None,
    }
}

/// Path at which an error is reported: for an impact as for the change itself.
fn path_segments<'w>(operation: &Operation, way: &'w [String]) -> &'w [String] {
    let around = match (&*operation.id, way.first().map(String::as_str)) {
        ("price_adjustments.impact" | "processing_prices.impact", Some("update")) => 2,
        ("price_adjustments.impact" | "processing_prices.impact" | "surcharge_tables.impact", _)
        | ("price_lists.impact", Some("change" | "copy")) => 1,
        _ => 0,
    };
    way.get(around..).unwrap_or(way)
}

fn put(body: &mut Value, way: &[String], id: i64) {
    match way {
        [] => *body = id.into(),
        [name, rest @ ..] if name.is_empty() => {
            if rest.is_empty() || !body[0].is_object() {
                *body = json!([null]);
            }
            put(&mut body[0], rest, id);
        }
        [name, rest @ ..] => put(&mut body[&**name], rest, id),
    }
}

/// Answer without parts that differ between requests.
fn summary(answer: &Answer) -> (u16, String) {
    let text = match serde_json::from_slice::<Value>(&answer.bytes) {
        Ok(mut body) => {
            if let Some(fields) = body.as_object_mut() {
                fields.remove("request_id");
            }
            body.to_string()
        }
        Err(_) => format!("{:?}", answer.bytes),
    };
    (answer.status.as_u16(), text)
}

/// Operations that do not find anything of a new record either.
const NOT_YET: &[&str] =
    &["ftp_settings.repeat", "imports.error_file", "price_lists.change_prices", "price_lists.decide_prices"];

const UNKNOWN: i64 = 987_654_321;

#[actix_web::test]
async fn ids_of_foreign_records_are_answered_like_unknown_ids() {
    let document = document();
    let houses = Houses::new().await;
    let mut foreign = Vec::new();
    for record in Record::ALL {
        // one more than the caller has, so that none of the caller's own has its id
        houses.record(&houses.south, record).await;
        foreign.push((record, houses.record(&houses.south, record).await));
    }
    let foreign = |record| foreign.iter().find(|(known, _)| *known == record).unwrap().1;
    let mut cases = Vec::new();
    for operation in operations() {
        for place in places(&document, &operation) {
            if let Owned(record) = place.meaning(&operation) {
                let aim = houses.aim(&document, &operation, &place).await;
                cases.push((operation.clone(), place, record, aim));
            }
        }
    }
    assert!(cases.len() > 150, "there are {} places only", cases.len());

    let before = tables(&houses.app, &["session"]).await;
    for (operation, place, record, aim) in &cases {
        let case = format!("{} {place:?}", operation.id);
        let id = foreign(*record);
        let refused = summary(&houses.fire(aim, id).await);
        assert_eq!(refused, summary(&houses.fire(aim, UNKNOWN).await), "{case}");
        if place.is_filter() {
            continue;
        }
        let none_found = refused.0 == 409 && refused.1.contains("selection_changed");
        // a cart is answered line by line
        let no_line = refused.0 == 200 && refused.1.contains(r#""code":"unknown_reference""#);
        assert!(none_found || no_line || matches!(refused.0, 403 | 404 | 422), "{case}: {refused:?}");
        if let (Place::Body(way), 422) = (place, refused.0) {
            let at: Vec<_> = path_segments(operation, way)
                .iter()
                .map(|name| if name.is_empty() { "0" } else { name })
                .collect();
            houses.fire(aim, id).await.is_refused_at(&[&at.join(".")]);
        }
    }
    assert!(before == tables(&houses.app, &["session"]).await, "something was written");

    // with the caller's own id the same call has another answer, so the id was the reason of the refusal
    for (operation, place, record, _) in cases.iter().filter(|(_, place, ..)| !place.is_filter()) {
        let own = houses.record(&houses.north, *record).await;
        let aim = houses.aim(&document, operation, place).await;
        let unknown = summary(&houses.fire(&aim, UNKNOWN).await);
        let found = summary(&houses.fire(&aim, own).await);
        let never = NOT_YET.contains(&&*operation.id) || found.0 == 403 && found.1.contains("platform_only");
        assert!(never || found != unknown, "{} {place:?}: {found:?}", operation.id);
    }
}
