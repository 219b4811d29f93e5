//! Seller of the golden quotes: articles, lists, stocks, processings and adjustments, all of them far in the
//! future, so that nothing depends on the day of the test run.

use std::collections::HashMap;

use lists::Creatable;
use pricing::{
    condition::{ConditionInput, text},
    price_adjustment::{PriceAdjustmentInput, PriceAdjustments},
};
use serde_json::{Value, json};
use store::Scope;
use values::{PermissionSet, TenantId};

use crate::{
    catalog::{ARTICLES, Catalog, MATERIALS, TYPES, id},
    processing_prices::{self, costs},
    processings::{self, sawing},
    stocks,
    support::{Client, TestApp},
    warehouses::warehouse,
};

/// Article with the units that it is counted in; `same` gives one piece or one base unit in each of them.
pub(super) struct Good {
    pub(super) number: &'static str,
    kind: Kind,
    material: usize,
    /// Length in metres; for sheets the size of a piece is unknown.
    length: &'static str,
    /// Weight in kg for each base unit.
    weight: Option<&'static str>,
    pub(super) same: &'static [(&'static str, &'static str)],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Counted in metres, in bars.
    Bar,
    /// Counted in square metres.
    Sheet,
    /// Counted in pieces, which have a length.
    Part,
}

const MATERIAL_NAMES: [&str; 3] = ["S235JR", "1.4301", "AW5754"];

pub(super) const GOODS: &[Good] = &[
    Good {
        number: "HEB-200",
        kind: Kind::Bar,
        material: 0,
        length: "12.1",
        weight: Some("61.3"),
        same: &[("piece", "1"), ("m", "12.1"), ("mm", "12100"), ("kg", "741.73"), ("t", "0.74173")],
    },
    Good {
        number: "IPE-80",
        kind: Kind::Bar,
        material: 0,
        length: "6.1",
        weight: Some("6"),
        same: &[("piece", "1"), ("m", "6.1"), ("cm", "610"), ("kg", "36.6"), ("g", "36600")],
    },
    Good {
        number: "FL-100x10",
        kind: Kind::Bar,
        material: 0,
        length: "6",
        weight: Some("7.85"),
        same: &[("m", "6"), ("piece", "1"), ("kg", "47.1"), ("t", "0.0471")],
    },
    Good {
        number: "RD-20",
        kind: Kind::Bar,
        material: 0,
        length: "1",
        weight: Some("2.466"),
        same: &[("m", "1"), ("piece", "1"), ("kg", "2.466")],
    },
    Good {
        number: "RD-20-1.4301",
        kind: Kind::Bar,
        material: 1,
        length: "3",
        weight: Some("2.483333"),
        same: &[("m", "3"), ("piece", "1"), ("kg", "7.449999")],
    },
    Good {
        number: "BST-12",
        kind: Kind::Bar,
        material: 0,
        length: "14",
        weight: Some("0.888"),
        same: &[("piece", "1"), ("m", "14"), ("kg", "12.432"), ("t", "0.012432")],
    },
    Good {
        number: "RO-60",
        kind: Kind::Bar,
        material: 1,
        length: "6",
        weight: Some("5.033741"),
        same: &[("m", "6"), ("piece", "1"), ("kg", "30.202446")],
    },
    Good {
        number: "KANTEL",
        kind: Kind::Bar,
        material: 2,
        length: "4.2",
        weight: None,
        same: &[("m", "4.2"), ("piece", "1"), ("kg", "1")],
    },
    Good {
        number: "BL-10",
        kind: Kind::Sheet,
        material: 0,
        length: "3",
        weight: Some("78.5"),
        same: &[("m2", "1"), ("kg", "78.5"), ("t", "0.0785"), ("dm2", "100")],
    },
    Good {
        number: "BL-1.5-AW5754",
        kind: Kind::Sheet,
        material: 2,
        length: "2",
        weight: Some("4.005"),
        same: &[("m2", "1"), ("kg", "4.005"), ("cm2", "10000")],
    },
    Good {
        number: "BOLZEN",
        kind: Kind::Part,
        material: 0,
        length: "3",
        weight: Some("1"),
        same: &[("piece", "1"), ("m", "3"), ("m", "1"), ("kg", "1"), ("t", "0.001")],
    },
    Good {
        number: "ANKER",
        kind: Kind::Part,
        material: 1,
        length: "0.7",
        weight: Some("2.345678"),
        same: &[("piece", "1"), ("m", "0.7"), ("m", "0.1"), ("kg", "2.345678")],
    },
];

/// Named buyers besides anonymous ones; users of the first one also send requests.
pub(super) const BUYERS: [&str; 2] = ["SUED", "OST"];
pub(super) const WAREHOUSES: [&str; 2] = ["DU", "HH"];
pub(super) const PROCESSINGS: [&str; 2] = ["Sägen", "Gehrung"];

const LISTS: &str = "/api/admin/price-lists";
const TABLES: &str = "/api/admin/surcharge-tables";

/// Seller with everything that the carts refer to.
pub(super) struct Seller {
    pub(super) user: Client,
    pub(super) buyer: Client,
    pub(super) processings: Vec<i64>,
    /// Names of lists by id.
    pub(super) lists: HashMap<i64, &'static str>,
    pub(super) stocks: HashMap<i64, String>,
    app: TestApp,
    admin: Client,
    north: i64,
    buyers: [i64; 2],
    group: i64,
    materials: Vec<i64>,
    articles: HashMap<&'static str, i64>,
    bars: i64,
}

impl Seller {
    pub(super) async fn new() -> Self {
        let Catalog { app, admin, material, length, .. } = Catalog::new().await;
        let user = app.caller(Some(app.north), PermissionSet::all()).await;
        let buyer = app.caller(Some(app.south), PermissionSet::all()).await;
        let east = json!({ "company": "Ost KG", "short_code": "OST", "permissions": [] });
        let east = id(&admin.post("/api/admin/tenants", east).await.is(201));
        let group = json!({ "name": "Verbund", "description": null, "tenant_ids": [app.north, app.south] });
        let group = id(&admin.post("/api/admin/tenant-groups", group).await.is(201));
        for (name, code) in [("Duisburg", WAREHOUSES[0]), ("Hamburg", WAREHOUSES[1])] {
            user.post("/api/admin/warehouses", warehouse(name, code)).await.is(201);
        }
        let mut materials = vec![material];
        for name in &MATERIAL_NAMES[1..] {
            materials.push(id(&admin.post(MATERIALS, json!({ "name": name })).await.is(201)));
        }
        let mut processings = Vec::new();
        for name in PROCESSINGS {
            let template = format!("-{name}{{schnittlaenge}}");
            processings.push(id(&admin.post(processings::PATH, sawing(name, &template)).await.is(201)));
        }
        let mut kinds = Vec::new();
        for (name, base, dimension) in
            [("Stab", "m", json!("length")), ("Tafel", "m2", Value::Null), ("Teil", "piece", json!("length"))]
        {
            let input = json!({
                "name": name, "article_number_template": format!("{name}-{{laenge}}"),
                "article_name_template": format!("{name} {{laenge}}"), "base_unit_of_measure": base,
                "listing_unit_of_measure": base, "price_unit_of_measure": "t",
                "attributes": [{ "attribute_id": id(&length), "primary": true, "dimension": dimension }],
            });
            kinds.push(id(&admin.post(TYPES, input).await.is(201)));
        }
        let mut articles = HashMap::new();
        for good in GOODS {
            let input = json!({
                "article_type_id": kinds[good.kind as usize], "material_id": materials[good.material],
                "article_number": good.number, "article_name": good.number, "weight_per_base_unit": good.weight,
                "values": [{ "attribute_id": id(&length), "number": good.length, "unit": "m" }],
            });
            articles.insert(good.number, id(&admin.post(ARTICLES, input).await.is(201)));
        }
        let mut seller = Self {
            user,
            buyer,
            processings,
            lists: HashMap::new(),
            stocks: HashMap::new(),
            north: app.north,
            buyers: [app.south, east],
            group,
            materials,
            articles,
            bars: kinds[0],
            app,
            admin,
        };
        seller.add_stocks().await;
        seller.add_lists().await;
        seller.add_processing_prices().await;
        let table = seller.add_table().await;
        seller.add_adjustments(table).await;
        seller
    }

    async fn add_stocks(&mut self) {
        for (article, warehouse, external, internal) in [
            ("HEB-200", "DU", "1010/1 t; 24.2: 995/1 t", "880/1 t"),
            ("HEB-200", "HH", "100.5/100 kg", "890/1 t"),
            ("BST-12", "HH", "0.72/1 kg; 1400: 690/1 t", "610/1 t"),
            ("KANTEL", "DU", "14.99/1 m", "9.5/1 m"),
            ("ANKER", "DU", "3.4567/1 piece; 10: 4.5/1 m", "2/1 piece"),
            ("ANKER", "HH", "10/3 piece", ""),
            ("BL-1.5-AW5754", "HH", "10: 3.95/1 kg", "3.1/1 kg"),
        ] {
            let stock = json!({
                "article_number": article, "warehouse_short_code": warehouse, "availability_type": "always",
            });
            let stock = id(&self.user.post(stocks::PATH, stock).await.is(201));
            let ((external, bulk), (internal, _)) = (prices(external), prices(internal));
            let body = json!({ "external_price": external, "external_bulk_prices": bulk, "internal_price": internal });
            self.user.put(&format!("/api/admin/prices/{stock}"), body).await.is(200);
            self.stocks.insert(stock, format!("stock in {warehouse}"));
        }
    }

    async fn add_list(&mut self, name: &'static str, changes: Value, sides: &[(&str, &str)]) {
        let mut input = json!({
            "name": name, "owner_tenant_id": self.north, "owner_tenant_group_id": null, "type": "sales",
            "scope": "global", "valid_from": "2040-01-31T23:00:00Z", "limited": false, "valid_until": null,
            "tenant_ids": [], "tenant_group_ids": [],
        });
        input.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        // the platform can name any customer
        let list = id(&self.admin.post(LISTS, input).await.is(201));
        let price = |(article, side): &(&str, &str)| {
            let (price, bulk) = prices(side);
            json!({ "article_number": article, "price": price, "bulk_prices": bulk })
        };
        let body = json!({ "prices": sides.iter().map(price).collect::<Vec<_>>() });
        self.admin.put(&format!("{LISTS}/{list}/prices"), body).await.is(200);
        self.lists.insert(list, name);
    }

    async fn add_lists(&mut self) {
        self.add_list(
            "Verkauf",
            json!({}),
            &[
                ("HEB-200", "985/1 t; 12.1: 960/1 t; 121: 94.25/100 kg"),
                ("IPE-80", "92.5/100 kg; 61: 899/1 t"),
                ("FL-100x10", "8.125/1 m; 60: 7.9/1 m; 600: 985/1 t"),
                ("RD-20", "34.9/1 m; 10: 49.95/1 m; 100: 33.3333/1 m"),
                ("RD-20-1.4301", "4.275/1 kg"),
                ("RO-60", "6: 12.3456/1 m; 36: 2.2222/1 kg"),
                ("BL-10", "1049.99/1 t; 3: 10.25/10 kg"),
                ("BOLZEN", "16.515/1 kg; 3: 16.25/1 kg; 10: 15/3 piece"),
            ],
        )
        .await;
        let quarter = json!({
            "valid_from": "2040-03-31T22:00:00Z", "limited": true, "valid_until": "2040-06-30T22:00:00Z",
        });
        self.add_list(
            "Quartal",
            quarter,
            &[("HEB-200", "990/1 t"), ("BL-10", "1.0333/1 kg"), ("RD-20", "34.5/1 m")],
        )
        .await;
        let own = json!({ "scope": "own", "tenant_ids": [self.buyers[0]] });
        self.add_list(
            "Sonder",
            own,
            &[("HEB-200", "937.77/1 t; 6.05: 930/1 t"), ("FL-100x10", "7.7777/1 m")],
        )
        .await;
        let of_group = json!({ "scope": "own", "tenant_group_ids": [self.group] });
        self.add_list("Verbundliste", of_group, &[("IPE-80", "88/100 kg"), ("RO-60", "24: 11.5/1 m")]).await;
        let internal = json!({ "scope": "own", "type": "internal" });
        let costs =
            [("HEB-200", "790/1 t"), ("RD-20", "21.3/1 m"), ("BOLZEN", "11/1 kg"), ("BL-10", "880/1 t")];
        self.add_list("Einkauf", internal, &costs).await;
    }

    async fn add_processing_prices(&self) {
        let [sawing, miter] = self.processings[..] else { unreachable!() };
        let mut per_three = costs(miter, None, "10");
        per_three["price"]["price_quantity"] = "3".into();
        for price in [costs(sawing, None, "4.5"), costs(sawing, Some(self.bars), "9.8765"), per_three] {
            self.user.post(processing_prices::PATH, price).await.is(201);
        }
    }

    /// Creates a table that lacks the value of stainless steel for May, and all values for July.
    async fn add_table(&self) -> i64 {
        let table = json!({ "name": "Legierung", "kind": "alloy", "keyed_by": "material" });
        let table = id(&self.user.post(TABLES, table).await.is(201));
        let value = |material: usize, month: &str, value: &str| json!({ "material_id": self.materials[material], "month": month, "value": value });
        let values = json!({ "values": [
            value(1, "2040-02", "1711.25"), value(1, "2040-03", "1690"), value(1, "2040-04", "1725.3333"),
            value(1, "2040-06", "1801"), value(2, "2040-03", "905"), value(2, "2040-04", "910.5"),
            value(2, "2040-05", "899"), value(2, "2040-06", "0"),
        ], "release": true });
        self.user.put(&format!("{TABLES}/{table}/values"), values).await.is(200);
        table
    }

    async fn add_adjustments(&self, table: i64) {
        let scope = Scope::platform().acting_for(Some(TenantId(self.north)));
        for adjustment in self.adjustments(table) {
            let input: PriceAdjustmentInput = serde_json::from_value(adjustment).unwrap();
            PriceAdjustments::create(&self.app.db, &scope, input).await.unwrap();
        }
    }

    #[expect(clippy::too_many_lines, reason = "a table")]
    fn adjustments(&self, table: i64) -> Vec<Value> {
        let articles = |numbers: &[&str]| {
            let ids: Vec<_> = numbers.iter().map(|number| self.articles[number]).collect();
            json!({ "apply_to": { "kind": "item", "articles": ids } })
        };
        let both = || json!({ "apply_to": { "kind": "item_type", "item_types": ["article", "processing"] } });
        let processings = || json!({ "apply_to": { "kind": "item_type", "item_types": ["processing"] } });
        let [sawing, miter] = self.processings[..] else { unreachable!() };
        let bounds = |bounds: Value| json!({ "purchase_constraints": bounds });
        let stainless = &self.materials[1..];
        vec![
            adjustment("Gebühr", "surcharge", "0.1", "relativeToBase", ""),
            with(
                adjustment("Energie", "surcharge", "35", "perTon", ""),
                json!({ "ignore_on_further_adjustments": true }),
            ),
            with(
                adjustment("Legierung", "surcharge", "1", "perTon", ""),
                json!({ "value": null, "surcharge_table_id": table, "apply_to": { "kind": "item", "materials": stainless } }),
            ),
            adjustment("Großmenge", "discount", "15", "perTon", "cart_weight >= 10 t"),
            with(
                adjustment("Verbund", "discount", "3", "relativeToAdjusted", ""),
                json!({ "tenant_group_ids": [self.group] }),
            ),
            adjustment(
                "Mindermenge",
                "surcharge",
                "45",
                "absolute",
                "all(cart_weight < 500 kg, cart_base_price < 1000)",
            ),
            adjustment("Samstag", "surcharge", "25", "absolute", "weekday in (saturday)"),
            with(adjustment("Rundrabatt", "discount", "15", "relativeToBase", ""), articles(&["RD-20"])),
            with(
                adjustment("Zweiter Rabatt", "discount", "10", "relativeToAdjusted", "item_quantity > 5 m"),
                articles(&["RD-20", "RO-60"]),
            ),
            with(adjustment("Abwicklung", "surcharge", "4.25", "absolute", "cart_base_price < 5000"), both()),
            with(
                adjustment(
                    "Entgraten",
                    "surcharge",
                    "35",
                    "perTon",
                    &format!("processing in ({sawing}, {miter})"),
                ),
                both(),
            ),
            with(
                adjustment("Nur Gehrung", "surcharge", "0.45", "perKg", &format!("processing in ({miter})")),
                both(),
            ),
            with(
                adjustment("Einzelstück", "surcharge", "2", "relativeToBase", "item_quantity = 1 piece"),
                articles(&["IPE-80", "HEB-200", "BST-12"]),
            ),
            with(
                adjustment("Keine Stange", "discount", "0.5", "relativeToBase", "item_quantity != 6.1 m"),
                articles(&["IPE-80"]),
            ),
            with(
                adjustment("Ab einem Kilo", "surcharge", "1", "absolute", "cart_weight >= 1 kg"),
                articles(&["BOLZEN"]),
            ),
            with(
                adjustment(
                    "Leicht",
                    "surcharge",
                    "0.75",
                    "absolute",
                    "any(item_weight < 1 kg, item_weight = 3 kg)",
                ),
                articles(&["BOLZEN", "ANKER"]),
            ),
            with(
                adjustment("Ab zehn Euro", "discount", "1.2345", "relativeToBase", "cart_base_price >= 10"),
                processings(),
            ),
            with(
                adjustment("Viele Schnitte", "discount", "0.3333", "absolute", "item_quantity > 2 piece"),
                processings(),
            ),
            with(
                adjustment("Flachstahl", "discount", "0.0001", "absolute", ""),
                with(
                    articles(&["FL-100x10"]),
                    bounds(json!({ "min_quantity": "2", "multiple_of": "0.1", "unit": "m" })),
                ),
            ),
            with(
                adjustment("Ganze Stangen", "discount", "0.05", "perTon", "cart_base_price > 50000"),
                with(articles(&["HEB-200"]), bounds(json!({ "multiple_of": "1", "unit": "piece" }))),
            ),
            with(
                adjustment("Höchstens", "surcharge", "0.01", "relativeToBase", "date >= 2040-06-01"),
                bounds(json!({ "max_quantity": "40", "unit": "t" })),
            ),
            with(
                adjustment("Geschenkt", "discount", "100", "relativeToAdjusted", ""),
                with(articles(&["KANTEL"]), json!({ "tenant_ids": [self.buyers[1]] })),
            ),
            with(
                adjustment("Nachlass", "discount", "30", "absolute", "not(cart_weight > 20 kg)"),
                articles(&["KANTEL", "ANKER"]),
            ),
            with(adjustment("Ruht", "surcharge", "99", "absolute", ""), json!({ "active": false })),
            with(
                adjustment("Frühjahr", "discount", "1.1111", "relativeToAdjusted", ""),
                json!({ "valid_from": "2040-04-15T00:00:00Z", "valid_until": "2040-05-31T22:00:00Z" }),
            ),
            adjustment(
                "Großauftrag",
                "discount",
                "1.25",
                "relativeToAdjusted",
                "adjusted_cart_total > 20000",
            ),
            adjustment(
                "Nicht Sägen",
                "surcharge",
                "0.2",
                "relativeToBase",
                &format!("all(processing not in ({sawing}), tenant not in ({}))", self.buyers[0]),
            ),
        ]
    }
}

/// Parses `"985/1 t; 12.1: 960/1 t"`: a price, and tiers from quantities in the base unit.
fn prices(side: &str) -> (Value, Vec<Value>) {
    let (mut base, mut bulk) = (Value::Null, Vec::new());
    for part in side.split("; ").filter(|part| !part.is_empty()) {
        let (from, price) = part.split_once(": ").map_or((None, part), |(from, price)| (Some(from), price));
        let (price, basis) = price.split_once('/').unwrap();
        let (quantity, unit) = basis.split_once(' ').unwrap();
        let mut money = json!({ "price": price, "price_quantity": quantity, "unit": unit });
        match from {
            None => base = money,
            Some(from) => {
                money["quantity_from"] = from.into();
                bulk.push(money);
            }
        }
    }
    (base, bulk)
}

/// Adjustment for articles unless changed, with conditions as text.
fn adjustment(name: &str, operation: &str, value: &str, calculation_type: &str, conditions: &str) -> Value {
    let conditions = (!conditions.is_empty()).then(|| ConditionInput::from(text::parse(conditions).unwrap()));
    json!({
        "name": name, "operation": operation, "value": value, "calculation_type": calculation_type,
        "conditions": conditions, "apply_to": { "kind": "item_type", "item_types": ["article"] },
    })
}

fn with(mut input: Value, changes: Value) -> Value {
    input.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    input
}
