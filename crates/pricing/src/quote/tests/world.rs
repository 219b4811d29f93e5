//! Generated sellers, articles and carts.

use values::Weekday;

use super::*;
use crate::{
    condition::{Comparison, Condition, ConditionType, ExpectedValue, Test},
    price_adjustment::terms::PurchaseConstraints,
    surcharge_table::surcharges::{self, KeyedBy, Month, TableRecord},
};

/// Pseudo-random numbers, the same for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn one_in(&mut self, denominator: u64) -> bool {
        self.below(denominator) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        let place = self.below(choices.len() as u64);
        choices[usize::try_from(place).unwrap()]
    }

    fn id(&mut self, choices: &[i64]) -> i64 {
        self.pick(choices)
    }

    /// Number above zero, with at most this number of digits and decimal places.
    pub(crate) fn decimal(&mut self, digits: u32, places: u32) -> Decimal {
        let digits = 1 + self.below(digits.into());
        let places = self.below(u64::from(places) + 1);
        let number = 1 + i64::try_from(self.below(10_u64.pow(u32::try_from(digits).unwrap()))).unwrap();
        Decimal::from_millionths(number * 10_i64.pow(6 - u32::try_from(places).unwrap()))
    }

    fn some<T>(&mut self, one_in: u64, generate: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.one_in(one_in).then(|| generate(self))
    }

    fn many<T>(&mut self, least: u64, below: u64, mut generate: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = least + self.below(below - least);
        (0..count).map(|_| generate(self)).collect()
    }
}

/// Seller with all their prices.
pub(crate) struct World {
    pub(crate) articles: Vec<Arc<Article>>,
    pub(crate) relations: Vec<Vec<Relation>>,
    pub(crate) lists: Vec<List>,
    pub(crate) entries: Vec<(i64, i64, Side)>,
    pub(crate) stocks: Vec<StockPrices>,
    pub(crate) tables: Vec<TableRecord>,
    pub(crate) adjustments: Vec<Adjustment>,
    /// Prices by processing and, if specific, article type.
    pub(crate) processing_prices: Vec<(i64, Option<i64>, Money)>,
}

const TENANTS: [i64; 4] = [SELLER, BUYER, 3, 4];
pub(crate) const SELLERS_GROUPS: [i64; 1] = [50];
const GROUPS: [i64; 4] = [40, 41, 50, 51];
const TYPES: [i64; 3] = [10, 11, 12];
const MATERIALS: [i64; 3] = [20, 21, 22];
const CATEGORIES: [i64; 4] = [30, 31, 32, 33];
const WAREHOUSES: [i64; 3] = [60, 61, 62];
const PROCESSINGS: [i64; 2] = [70, 71];
const UNITS: [Unit; 7] =
    [Unit::Piece, Unit::Metre, Unit::Millimetre, Unit::SquareMetre, Unit::Kilogram, Unit::Tonne, Unit::Gram];
const COMPARISONS: [Comparison; 6] = [
    Comparison::Equals,
    Comparison::NotEquals,
    Comparison::LesserThan,
    Comparison::LesserEquals,
    Comparison::GreaterThan,
    Comparison::GreaterEquals,
];

impl World {
    pub(crate) fn new(dice: &mut Dice) -> Self {
        let relations: Vec<_> = (0..4).map(|_| relations(dice)).collect();
        let articles = relations.iter().zip(100..).map(|(relations, id)| article(dice, id, relations));
        let articles: Vec<Arc<Article>> = articles.map(Arc::new).collect();
        let lists: Vec<List> = (1..=dice.below(6).cast_signed()).map(|id| made_list(dice, id)).collect();
        let mut entries = Vec::new();
        for list in &lists {
            for article in &articles {
                if !dice.one_in(3) {
                    entries.push((list.head.id, article.id, made_side(dice)));
                }
            }
        }
        let mut stocks = Vec::new();
        for article in &articles {
            for _ in 0..dice.below(4) {
                let id = 500 + i64::try_from(stocks.len()).unwrap();
                let [external, internal] =
                    [3, 3].map(|rare| if dice.one_in(rare) { Side::default() } else { made_side(dice) });
                let warehouse_id = dice.id(&WAREHOUSES);
                stocks.push(StockPrices { id, article_id: article.id, warehouse_id, external, internal });
            }
        }
        let tables: Vec<TableRecord> =
            (1..=dice.below(4).cast_signed()).map(|id| made_table(dice, id)).collect();
        let compiled = surcharges::compile(&tables);
        let mut adjustments: Vec<_> =
            (1..=dice.below(9).cast_signed()).map(|id| made_adjustment(dice, id)).collect();
        for adjustment in &mut adjustments {
            if !tables.is_empty() && dice.one_in(4) {
                let table = tables[usize::try_from(dice.below(tables.len() as u64)).unwrap()].id;
                adjustment.calculation_type = CalculationType::PerTon;
                adjustment.value = Value::OfTable(compiled[&table].clone());
            }
        }
        let mut processing_prices = Vec::new();
        for processing in PROCESSINGS {
            for article_type in TYPES.map(Some).into_iter().chain([None]) {
                // most carts should have a price
                let is_kept = if article_type.is_some() { dice.one_in(3) } else { !dice.one_in(8) };
                if is_kept {
                    processing_prices.push((processing, article_type, made_processing_price(dice)));
                }
            }
        }
        Self { articles, relations, lists, entries, stocks, tables, adjustments, processing_prices }
    }

    pub(crate) fn book(&self) -> Book {
        let (lists, adjustments) = (self.lists.clone(), self.adjustments.clone());
        let mut builder = Builder::new(TenantId(SELLER), SELLERS_GROUPS.to_vec(), lists, adjustments);
        for (list, article, side) in &self.entries {
            builder.entry(*list, *article, side);
        }
        for stock in &self.stocks {
            builder.stock(stock);
        }
        for (processing, article_type, price) in &self.processing_prices {
            builder.processing_price(&processing_price(*processing, *article_type, *price));
        }
        builder.build()
    }

    pub(crate) fn cart(&self, dice: &mut Dice) -> Cart {
        let buyer = (!dice.one_in(6)).then(|| Buyer {
            tenant: dice.id(&TENANTS),
            groups: GROUPS.into_iter().filter(|_| dice.one_in(2)).collect(),
        });
        let hours = i64::try_from(dice.below(24 * 6)).unwrap() - 72;
        // sometimes in another month
        let days = if dice.one_in(4) { dice.pick(&[-30, 6, 7]) } else { 0 };
        let at = noon() + TimeDelta::hours(hours) + TimeDelta::days(days);
        let moment = Moment::new(at, Tz::Europe__Berlin);
        let lines = dice.many(1, 5, |dice| Line {
            article: {
                let place = dice.below(self.articles.len() as u64);
                self.articles[usize::try_from(place).unwrap()].clone()
            },
            quantity: if dice.one_in(40) { dice.decimal(11, 6) } else { dice.decimal(4, 4) },
            unit: dice.pick(&UNITS),
            warehouse: dice.some(3, |dice| dice.id(&WAREHOUSES)),
            processings: if dice.one_in(4) { dice.many(1, 3, made_processing) } else { Vec::new() },
        });
        Cart { buyer, moment, lines }
    }
}

fn made_processing_price(dice: &mut Dice) -> Money {
    Money {
        price: dice.decimal(4, 4),
        price_quantity: dice.pick(&[Decimal::ONE, Decimal::from(3), Decimal::from(100)]),
        unit: Unit::Piece,
    }
}

fn made_processing(dice: &mut Dice) -> Processing {
    let price = dice.some(3, made_processing_price);
    Processing { id: dice.id(&PROCESSINGS), quantity: dice.decimal(2, 0), price }
}

fn relations(dice: &mut Dice) -> Vec<Relation> {
    let extent = dice.pick(&[Unit::Metre, Unit::SquareMetre]);
    let size = Relation { from: Unit::Piece, amount: dice.decimal(5, 3), unit: extent };
    let weight = Relation { from: extent, amount: dice.decimal(6, 4), unit: Unit::Kilogram };
    match dice.below(6) {
        0 => vec![size],
        1 => vec![weight],
        2 => Vec::new(),
        3 => vec![weight, size],
        _ => vec![size, weight],
    }
}

fn article(dice: &mut Dice, id: i64, relations: &[Relation]) -> Article {
    Article {
        article_number: format!("A-{id}"),
        article_type_id: dice.id(&TYPES),
        material_id: dice.some(2, |dice| dice.id(&MATERIALS)),
        categories: CATEGORIES.into_iter().filter(|_| dice.one_in(3)).collect(),
        ..Article::from_relations(id, dice.pick(&UNITS), relations.to_vec())
    }
}

pub(crate) fn made_list(dice: &mut Dice, id: i64) -> List {
    let r#type = if dice.one_in(4) { ListType::Internal } else { ListType::Sales };
    let scope = if dice.one_in(2) { ListScope::Global } else { ListScope::Own };
    let mut list = list(id, r#type, scope);
    // some begin at the same moment
    let days = |dice: &mut Dice| TimeDelta::days(i64::try_from(dice.below(6)).unwrap() - 3);
    list.head.valid_from = noon() + days(dice);
    list.head.valid_until = dice.some(3, |dice| list.head.valid_from + days(dice).abs());
    if dice.one_in(4) {
        list.head.owner_tenant_id = None;
        list.head.owner_tenant_group_id = Some(dice.id(&GROUPS));
    } else if dice.one_in(10) {
        list.head.owner_tenant_id = Some(TenantId(3));
    }
    if scope == ListScope::Own {
        list.tenants = TENANTS.into_iter().filter(|_| dice.one_in(4)).collect();
        list.groups = GROUPS.into_iter().filter(|_| dice.one_in(4)).collect();
    }
    list.excluded = TENANTS.into_iter().filter(|_| dice.one_in(6)).collect();
    list
}

fn made_money(dice: &mut Dice) -> Money {
    let quantities = [Decimal::ONE, Decimal::ONE, Decimal::from(100), Decimal::from(3), decimal("0.7")];
    let price = if dice.one_in(60) { decimal("99999999.9999") } else { dice.decimal(6, 4) };
    Money { price, price_quantity: dice.pick(&quantities), unit: dice.pick(&UNITS) }
}

pub(crate) fn made_side(dice: &mut Dice) -> Side {
    let mut froms = dice.many(0, 4, |dice| dice.decimal(3, 2));
    froms.sort();
    froms.dedup();
    let tiers: Vec<_> = froms
        .into_iter()
        .map(|from| {
            let unit = dice.some(2, |dice| dice.pick(&UNITS));
            json!({ "from": from, "from_unit": unit, "price": made_money(dice) })
        })
        .collect();
    let price = (tiers.is_empty() || !dice.one_in(4)).then(|| made_money(dice));
    Side { price, tiers: serde_json::from_value(json!(tiers)).unwrap() }
}

/// Surcharge table of three months, with gaps; it may be based on an earlier one.
fn made_table(dice: &mut Dice, id: i64) -> TableRecord {
    let keyed_by = if id % 2 == 0 { KeyedBy::ArticleType } else { KeyedBy::Material };
    let keys = match keyed_by {
        KeyedBy::Material => MATERIALS,
        KeyedBy::ArticleType => TYPES,
    };
    let mut table = TableRecord { id, name: format!("table {id}"), keyed_by, ..TableRecord::default() };
    table.base = (id > 2 && dice.one_in(2)).then_some(id - 2);
    for key in keys {
        for month in ["2026-10", "2026-11", "2026-12"] {
            if !dice.one_in(3) {
                let value = if dice.one_in(8) { Decimal::ZERO } else { dice.decimal(4, 4) };
                table.cells.insert((key, Month::parse(month).unwrap()), value);
            }
        }
    }
    table
}

fn made_adjustment(dice: &mut Dice, id: i64) -> Adjustment {
    use CalculationType::{Absolute, PerKg, PerTon, RelativeToAdjusted, RelativeToBase};
    let operation = dice.pick(&[Operation::Discount, Operation::Surcharge]);
    let calculation_type =
        dice.pick(&[Absolute, PerKg, PerTon, RelativeToAdjusted, RelativeToAdjusted, RelativeToBase]);
    let mut adjustment = adjustment(id, operation, "1", calculation_type);
    adjustment.value = Value::Fixed(match (calculation_type.is_relative(), operation) {
        (true, Operation::Discount) => dice.pick(&["3", "12.5", "0.0001", "33.3333", "100"].map(decimal)),
        (true, Operation::Surcharge) => dice.pick(&["1.5", "7.25", "0.0001", "250", "1000"].map(decimal)),
        (false, _) => dice.decimal(4, 4),
    });
    // positions of the platform's and of the seller's adjustments are counted separately
    adjustment.owner = (!dice.one_in(4)).then_some(TenantId(if dice.one_in(12) { 3 } else { SELLER }));
    adjustment.position = i64::try_from(dice.below(5)).unwrap();
    adjustment.active = !dice.one_in(8);
    adjustment.ignore_on_further_adjustments = dice.one_in(3);
    adjustment.conditions = dice.some(2, |dice| made_condition(dice, 1));
    adjustment.apply_to = made_aim(dice);
    adjustment.tenant_ids = if dice.one_in(5) { vec![TenantId(dice.id(&TENANTS))] } else { Vec::new() };
    adjustment.tenant_group_ids = if dice.one_in(6) { vec![dice.id(&GROUPS)] } else { Vec::new() };
    adjustment.excluded_tenant_ids =
        if dice.one_in(5) { vec![TenantId(dice.id(&TENANTS))] } else { Vec::new() };
    adjustment.valid_from = dice.some(5, |dice| noon() + TimeDelta::hours(dice.below(96).cast_signed() - 48));
    adjustment.valid_until =
        dice.some(5, |dice| noon() + TimeDelta::hours(dice.below(96).cast_signed() - 24));
    adjustment.purchase_constraints = dice.some(5, |dice| PurchaseConstraints {
        min_quantity: dice.some(3, |dice| dice.decimal(2, 1)),
        max_quantity: dice.some(4, |dice| dice.decimal(4, 0)),
        multiple_of: dice.some(6, |dice| dice.decimal(1, 2)),
        unit: dice.pick(&UNITS),
    });
    adjustment
}

fn made_aim(dice: &mut Dice) -> ApplyTo {
    if dice.one_in(2) {
        let all = [ItemType::Article, ItemType::Processing, ItemType::Shipping];
        let mut item_types: Vec<_> = all.into_iter().filter(|_| dice.one_in(2)).collect();
        if item_types.is_empty() {
            item_types.push(ItemType::Article);
        }
        return ApplyTo::ItemType { item_types };
    }
    ApplyTo::Item {
        articles: dice.some(2, |dice| vec![100 + i64::try_from(dice.below(5)).unwrap()]).unwrap_or_default(),
        article_types: dice.some(2, |dice| vec![dice.id(&TYPES)]).unwrap_or_default(),
        categories: dice.some(3, |dice| vec![dice.id(&CATEGORIES)]).unwrap_or_default(),
        materials: dice.some(2, |dice| vec![dice.id(&MATERIALS)]).unwrap_or_default(),
    }
}

fn made_condition(dice: &mut Dice, depth: u32) -> Condition {
    if depth < 4 && dice.one_in(2) {
        let parts = dice.many(1, 4, |dice| made_condition(dice, depth + 1));
        return match dice.below(3) {
            0 => Condition::All(parts),
            1 => Condition::Any(parts),
            _ => Condition::Not(parts),
        };
    }
    let subject = dice.pick(&ConditionType::ALL);
    let op = dice.pick(&COMPARISONS);
    let negated = dice.one_in(3);
    let number = |value: Decimal, unit: Option<Unit>| ExpectedValue::Number { op, value, unit };
    let one_of = |dice: &mut Dice, choices: &[i64]| {
        let mut ids = dice.many(1, 3, |dice| dice.id(choices));
        ids.dedup();
        ExpectedValue::OneOf { negated, ids }
    };
    let expected = match subject {
        ConditionType::CartBasePrice | ConditionType::AdjustedCartTotal => number(dice.decimal(7, 2), None),
        ConditionType::CartWeight | ConditionType::ItemWeight => {
            number(dice.decimal(5, 2), Some(dice.pick(&[Unit::Kilogram, Unit::Tonne, Unit::Milligram])))
        }
        ConditionType::ItemQuantity => number(dice.decimal(4, 2), Some(dice.pick(&UNITS))),
        ConditionType::Article => one_of(dice, &[100, 101, 102, 103]),
        ConditionType::ArticleType => one_of(dice, &TYPES),
        ConditionType::Category => one_of(dice, &CATEGORIES),
        ConditionType::Material => one_of(dice, &MATERIALS),
        ConditionType::Processing => one_of(dice, &PROCESSINGS),
        ConditionType::Warehouse => one_of(dice, &WAREHOUSES),
        ConditionType::Tenant => one_of(dice, &TENANTS),
        ConditionType::TenantGroup => one_of(dice, &GROUPS),
        ConditionType::Weekday => ExpectedValue::Weekday { negated, days: vec![dice.pick(&Weekday::ALL)] },
        ConditionType::Date => ExpectedValue::Date {
            op,
            value: noon().date_naive() + TimeDelta::days(dice.below(7).cast_signed() - 3),
        },
    };
    Condition::Test(Test { subject, expected })
}
