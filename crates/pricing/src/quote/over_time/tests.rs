//! Past and future prices: stocks, lists, adjustments and tables are changed, and the history is moved into
//! the past.

use catalog::material::{MaterialInput, Materials};
use chrono::{TimeDelta, Timelike};
use imports::testbed::Bed;
use lists::{Creatable, Deletable};
use logistics::{
    matching::directory::PlaceReference,
    stock::{self, Availability, StockInput},
    testbed::{articles, warehouse},
};
use sea_orm::{ConnectionTrait, Statement};
use values::{RecordReference, now};

use super::*;
use crate::{
    condition::text,
    listing::import::PriceImporter,
    price_adjustment::{
        PriceAdjustmentInput, PriceAdjustments,
        terms::{ApplyTo, CalculationType, ItemType, Operation},
    },
    price_list::{self, ListScope, ListType, PriceListInput, PriceLists},
    price_list_entry::{self, EntriesInput, EntryInput},
    quote::{
        load::Books,
        request::{RequestedLine, answer},
        target::RequestedPrices,
    },
    surcharge_table::{
        self, SurchargeTableInput, SurchargeTables, ValueInput, ValuesInput,
        surcharges::{KeyedBy, Month, SurchargeKind},
    },
};

const ZONE: Tz = Tz::Europe__Berlin;

fn between(from: Instant, until: Instant) -> RequestedPeriod {
    RequestedPeriod { from, until, explained: None }
}

fn days(count: i64) -> TimeDelta {
    TimeDelta::days(count)
}

pub(crate) fn requested_line() -> RequestedLine {
    RequestedLine {
        place: PlaceReference {
            article: RecordReference::new(None, Some("HEB-200".into())),
            ..PlaceReference::default()
        },
        quantity: Decimal::from(2),
        unit: Some(Unit::Tonne),
        processings: Vec::new(),
        targets: RequestedPrices::default(),
    }
}

fn question(seller: Option<i64>) -> QuoteRequest {
    QuoteRequest {
        seller: RecordReference::new(seller, None),
        buyer: RecordReference::default(),
        as_customer: false,
        at: now(),
        target_total: None,
        lines: vec![requested_line()],
    }
}

/// A seller with a stock of a beam of 61.3 kg/m.
pub(crate) async fn stocked() -> Bed {
    let bed = Bed::for_importer::<PriceImporter>().await;
    articles(&bed.db, &[("HEB-200", "12.1", Some("61.3"))]).await;
    warehouse(&bed, &bed.scope, "DU").await;
    let input = StockInput {
        article_id: None,
        article_number: Some("HEB-200".into()),
        warehouse_id: None,
        warehouse_short_code: Some("DU".into()),
        availability_type: Availability::Always,
        quantity: None,
        quantity_unit: None,
        lead_time: None,
        length: None,
        width: None,
        height: None,
        version: None,
    };
    stock::create(&bed.db, &bed.scope, input).await.unwrap();
    bed
}

async fn import(bed: &Bed, price: &str) {
    bed.import(format!("Artikelnummer;Lager;Preis;Preiseinheit\r\nHEB-200;DU;{price};t\r\n")).await;
}

/// Moves all history so far into the past by a period.
pub(crate) async fn ago(bed: &Bed, time: TimeDelta) {
    let (backend, tx) = (bed.db.get_database_backend(), bed.db.begin().await.unwrap());
    for (table, column) in [("audit_entry", "at"), ("import", "finished_at"), ("import", "started_at")] {
        let rows = format!("SELECT id, {column} AS at FROM {table} WHERE {column} IS NOT NULL");
        for row in tx.query_all_raw(Statement::from_string(backend, rows)).await.unwrap() {
            let (id, at): (i64, Instant) = (row.try_get("", "id").unwrap(), row.try_get("", "at").unwrap());
            let sql = format!("UPDATE {table} SET {column} = $1 WHERE id = $2");
            let moved = Statement::from_sql_and_values(backend, sql, [(at - time).into(), id.into()]);
            tx.execute_raw(moved).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
}

async fn steps(bed: &Bed, scope: &Scope, seller: Option<i64>, from: i64, until: i64) -> PriceTimeline {
    let now = now();
    over_time(&bed.db, scope, ZONE, question(seller), between(now + days(from), now + days(until)), now)
        .await
        .unwrap()
}

/// Start of each step in days from now, its price or refusal, and true if it is past.
fn steps_in_days(timeline: &PriceTimeline) -> Vec<(i64, String, bool)> {
    let now = now();
    let day = |at: Instant| (at - now + TimeDelta::hours(12)).num_hours().div_euclid(24);
    let in_days = |step: &Step| {
        let price = match &step.price {
            Ok(priced) => priced.total.to_string(),
            Err(message) => message.code.as_str().to_owned(),
        };
        (day(step.from), price, step.past)
    };
    timeline.steps.iter().map(in_days).collect()
}

fn expected_steps(steps: &[(i64, &str, bool)]) -> Vec<(i64, String, bool)> {
    steps.iter().map(|(day, price, past)| (*day, (*price).to_owned(), *past)).collect()
}

pub(crate) fn list(
    name: &str,
    r#type: ListType,
    scope: ListScope,
    from: Instant,
    owner: i64,
) -> PriceListInput {
    PriceListInput {
        name: name.into(),
        customer_name: None,
        announce: false,
        owner_tenant_id: Some(owner),
        owner_tenant_group_id: None,
        r#type,
        scope,
        valid_from: from,
        limited: false,
        valid_until: None,
        tenant_ids: Vec::new(),
        tenant_group_ids: Vec::new(),
        excluded_tenant_ids: Vec::new(),
        version: None,
    }
}

pub(crate) async fn entry(bed: &Bed, list: i64, price: Option<&str>) {
    let money = |price: &str| Money {
        price: price.parse().unwrap(),
        price_quantity: Decimal::ONE,
        unit: Unit::Tonne,
    };
    let prices = vec![EntryInput {
        article_number: Some("HEB-200".into()),
        price: price.map(money),
        ..EntryInput::default()
    }];
    price_list_entry::update_many(&bed.db, &bed.scope, list, EntriesInput { prices, keep_bulk_prices: None })
        .await
        .unwrap();
}

pub(crate) fn adjustment(
    name: &str,
    value: Option<i32>,
    table: Option<i64>,
    conditions: &str,
) -> PriceAdjustmentInput {
    PriceAdjustmentInput {
        name: name.into(),
        active: true,
        operation: Operation::Surcharge,
        value: value.map(Decimal::from),
        surcharge_table_id: table,
        calculation_type: CalculationType::PerTon,
        conditions: (!conditions.is_empty()).then(|| text::parse(conditions).unwrap().into()),
        ignore_on_further_adjustments: false,
        apply_to: ApplyTo::ItemType { item_types: vec![ItemType::Article] },
        tenant_ids: Vec::new(),
        tenant_group_ids: Vec::new(),
        excluded_tenant_ids: Vec::new(),
        purchase_constraints: None,
        valid_from: None,
        valid_until: None,
        version: None,
    }
}

#[tokio::test]
async fn past_stock_prices_are_reconstructed() {
    let bed = stocked().await;
    ago(&bed, days(5)).await;
    import(&bed, "850").await;
    ago(&bed, days(10)).await;
    import(&bed, "860").await;
    ago(&bed, days(10)).await;
    let timeline = steps(&bed, &bed.scope, None, -60, 30).await;
    let expected = expected_steps(&[
        (-60, "no_price", true),
        (-20, "1700", true),
        (-10, "1720", true),
        (0, "1720", false),
    ]);
    assert_eq!(steps_in_days(&timeline), expected);
    let priced = timeline.steps[1].price.as_ref().unwrap();
    assert_eq!(priced.unit_price.unwrap().price.to_string(), "850");
    assert!(priced.stock_id.is_some() && priced.list.is_none());
    assert_eq!(timeline.steps[0].until, timeline.steps[1].from, "without a gap");
    // the past is unknown before the retention period of the history
    let timeline = steps(&bed, &bed.scope, None, -500, -390).await;
    assert_eq!(
        steps_in_days(&timeline),
        expected_steps(&[(-500, "past_unknown", true), (-400, "no_price", true)])
    );
}

#[tokio::test]
async fn past_and_future_lists_and_removed_prices_are_reconstructed() {
    let bed = stocked().await;
    let tenant = i64::from(bed.scope.tenant().unwrap());
    let moment = now() - days(40);
    let global = list("Verkauf", ListType::Sales, ListScope::Global, now() - days(30), tenant);
    let global = price_list::create_at(&bed.db, &bed.scope, global, moment).await.unwrap().list.id;
    entry(&bed, global, Some("900")).await;
    ago(&bed, days(20)).await;
    entry(&bed, global, Some("910")).await;
    ago(&bed, days(10)).await;
    entry(&bed, global, None).await;
    ago(&bed, days(5)).await;
    entry(&bed, global, Some("920")).await;
    let next = list("Nächstes", ListType::Sales, ListScope::Global, now() + days(10), tenant);
    let next = PriceLists::create(&bed.db, &bed.scope, next).await.unwrap().list.id;
    entry(&bed, next, Some("950")).await;
    ago(&bed, days(2)).await;
    let timeline = steps(&bed, &bed.scope, None, -40, 30).await;
    let expected = expected_steps(&[
        (-40, "no_price", true),
        // the price was entered before the list began
        (-30, "1800", true),
        (-17, "1820", true),
        (-7, "no_price", true),
        (-2, "1840", true),
        (0, "1840", false),
        (10, "1900", false),
    ]);
    assert_eq!(steps_in_days(&timeline), expected);
    let last = timeline.steps.last().unwrap();
    assert_eq!(last.price.as_ref().unwrap().list, Some((next, "Nächstes".into())));
    assert_eq!(last.overlaps, [(global, "Verkauf".into())]);
    assert!(timeline.steps[4].overlaps.is_empty());

    // another tenant buys by the global lists, and sees nothing of lists for others
    let own = list("Für mich", ListType::Sales, ListScope::Own, now() + days(20), tenant);
    let own = PriceLists::create(&bed.db, &bed.scope, own).await.unwrap().list.id;
    entry(&bed, own, Some("1")).await;
    let buyer = bed.other;
    let timeline = steps(&bed, &buyer, Some(tenant), 1, 30).await;
    assert_eq!(steps_in_days(&timeline), expected_steps(&[(1, "1840", false), (10, "1900", false)]));
    assert!(timeline.steps.iter().all(|step| step.overlaps.iter().all(|(id, _)| *id != own)));
    let now = now();
    let to_itself = QuoteRequest { buyer: RecordReference::new(Some(tenant), None), ..question(None) };
    let times = between(now + days(15), now + days(30));
    let timeline = over_time(&bed.db, &bed.scope, ZONE, to_itself, times, now).await.unwrap();
    assert_eq!(steps_in_days(&timeline), expected_steps(&[(15, "1900", false), (20, "2", false)]));
}

#[tokio::test]
async fn past_adjustments_and_monthly_table_values_are_applied() {
    let bed = stocked().await;
    import(&bed, "1000").await;
    ago(&bed, days(100)).await;
    let deleted_adjustment =
        PriceAdjustments::create(&bed.db, &bed.scope, adjustment("Früher", Some(5), None, "")).await.unwrap();
    ago(&bed, days(20)).await;
    PriceAdjustments::delete(&bed.db, &bed.scope, deleted_adjustment.adjustment.id).await.unwrap();
    ago(&bed, days(10)).await;
    assert_eq!(
        steps_in_days(&steps(&bed, &bed.scope, None, -40, 5).await),
        expected_steps(&[(-40, "2000", true), (-30, "2010", true), (-10, "2000", true), (0, "2000", false)])
    );

    let table = SurchargeTableInput {
        name: "Energie".into(),
        kind: SurchargeKind::Energy,
        keyed_by: KeyedBy::ArticleType,
        base_table_id: None,
        version: None,
    };
    let table = SurchargeTables::create(&bed.db, &bed.scope, table).await.unwrap().table.id;
    let timeline = steps(&bed, &bed.scope, None, 0, 1).await;
    let put = async |values: &[(i32, Option<i32>)]| {
        let this = Month::from_date(now().with_timezone(&ZONE).date_naive());
        let value = |(later, value): &(i32, Option<i32>)| ValueInput {
            material_id: None,
            article_type_id: Some(timeline.article.article_type_id),
            month: this.plus(*later).to_string(),
            value: value.map(Decimal::from),
        };
        let input =
            ValuesInput { values: values.iter().map(value).collect(), version: None, release: Some(true) };
        surcharge_table::put_values(&bed.db, &bed.scope, table, input).await.unwrap();
    };
    put(&[(0, Some(10)), (1, Some(20))]).await;
    PriceAdjustments::create(&bed.db, &bed.scope, adjustment("Energie", None, Some(table), ""))
        .await
        .unwrap();
    ago(&bed, TimeDelta::hours(2)).await;
    put(&[(0, Some(30))]).await;
    ago(&bed, TimeDelta::hours(1)).await;
    // by months: the current value, that of the next month, and none for the month after it
    let now = now();
    let next = Month::from_date(now.with_timezone(&ZONE).date_naive()).plus(1);
    let begin = |month: Month| {
        let midnight = month.first_day().unwrap().and_hms_opt(0, 0, 0).unwrap();
        chrono::TimeZone::from_local_datetime(&ZONE, &midnight).unwrap().to_utc()
    };
    let timeline = over_time(&bed.db, &bed.scope, ZONE, question(None), between(now, now + days(80)), now)
        .await
        .unwrap();
    let actual: Vec<_> = timeline
        .steps
        .iter()
        .map(|step| (step.from, step.price.as_ref().unwrap().total.to_string()))
        .collect();
    let expected = [(now, "2060"), (begin(next), "2040"), (begin(next.plus(1)), "2000")];
    assert_eq!(actual, expected.map(|(from, total)| (from, total.to_owned())));
    // two hours ago the table had another value for this month
    let lately = between(now - TimeDelta::minutes(90), now);
    let then = over_time(&bed.db, &bed.scope, ZONE, question(None), lately, now).await.unwrap();
    let totals: Vec<_> =
        then.steps.iter().map(|step| step.price.as_ref().unwrap().total.to_string()).collect();
    if now.with_timezone(&ZONE).hour() >= 3 {
        assert_eq!(totals, ["2020", "2060"]);
    }
}

/// A table may have many rows and a long history; only the values for the article are loaded.
#[tokio::test]
async fn only_table_values_for_the_article_are_loaded() {
    let bed = stocked().await;
    let material = async |name: &str| {
        let input = MaterialInput {
            name: name.into(),
            display_name: None,
            article_number_name: None,
            material_number: None,
            density: None,
            change_articles: None,
            version: None,
        };
        Materials::create(&bed.db, &Scope::platform(), input).await.unwrap().id
    };
    let (own, other) = (material("S235JR").await, material("S355J2").await);
    let mut article = steps(&bed, &bed.scope, None, 0, 1).await.article;
    article.material_id = Some(own);
    let table = SurchargeTableInput {
        name: "Energie".into(),
        kind: SurchargeKind::Energy,
        keyed_by: KeyedBy::Material,
        base_table_id: None,
        version: None,
    };
    let table = SurchargeTables::create(&bed.db, &bed.scope, table).await.unwrap().table.id;
    let put = async |material: i64, value: i32| {
        let value = ValueInput {
            material_id: Some(material),
            article_type_id: None,
            month: "2026-11".to_owned(),
            value: Some(Decimal::from(value)),
        };
        let input = ValuesInput { values: vec![value], version: None, release: Some(true) };
        surcharge_table::put_values(&bed.db, &bed.scope, table, input).await.unwrap();
    };
    // more entries than one statement reads
    for value in 1..=30 {
        put(other, 1_000 + value).await;
        put(own, value).await;
    }
    let seller = bed.scope.tenant().unwrap();
    let states = PriceStates::load(&*bed.db, seller, &article, &[], now() - days(400)).await.unwrap();
    let [life] = states.tables.as_slice() else { panic!("one table: {:?}", states.tables) };
    let records: Vec<_> = life.iter().filter_map(|(_, record)| record.as_ref()).collect();
    assert!(records.iter().all(|record| record.cells.keys().all(|(key, _)| *key == own)), "{life:?}");
    let values: Vec<String> =
        records.iter().flat_map(|record| record.cells.values()).map(ToString::to_string).collect();
    let mut distinct = values.clone();
    distinct.dedup();
    assert_eq!(distinct, (1..=30).map(|value| value.to_string()).collect::<Vec<_>>());
}

/// Each future step has the price of a quote for its time.
#[tokio::test]
async fn future_steps_match_quotes_for_their_time() {
    let bed = stocked().await;
    let tenant = i64::from(bed.scope.tenant().unwrap());
    import(&bed, "1000").await;
    for (name, from, until, price) in
        [("A", 10, None, "900"), ("B", 20, Some(40), "800"), ("C", 30, Some(35), "700")]
    {
        let input = PriceListInput {
            limited: until.is_some(),
            valid_until: until.map(|until| now() + days(until)),
            ..list(name, ListType::Sales, ListScope::Global, now() + days(from), tenant)
        };
        let list = PriceLists::create(&bed.db, &bed.scope, input).await.unwrap().list.id;
        entry(&bed, list, Some(price)).await;
    }
    let date = (now() + days(25)).date_naive();
    for (name, conditions) in [
        ("Samstag", "weekday in (saturday)".to_owned()),
        ("Ab dann", format!("date >= {date}")),
        ("Viel", "cart_base_price >= 1700".to_owned()),
    ] {
        PriceAdjustments::create(&bed.db, &bed.scope, adjustment(name, Some(7), None, &conditions))
            .await
            .unwrap();
    }
    let limited = PriceAdjustmentInput {
        valid_from: Some(now() + days(5)),
        valid_until: Some(now() + days(33)),
        ..adjustment("Aktion", Some(11), None, "")
    };
    PriceAdjustments::create(&bed.db, &bed.scope, limited).await.unwrap();
    let timeline = steps(&bed, &bed.scope, None, 0, 60).await;
    assert!(timeline.steps.len() > 15 && !timeline.cut, "{}", timeline.steps.len());
    let books = Books::default();
    for step in &timeline.steps {
        let last = step.until - TimeDelta::microseconds(1);
        for at in [step.from, step.from + (step.until - step.from) / 2, last] {
            let request = QuoteRequest { at, ..question(None) };
            let answers = answer(&bed.db, &bed.scope, &books, ZONE, vec![request], false).await.unwrap();
            let total = answers[0].quote.total.shown();
            assert_eq!(step.price.as_ref().unwrap().total, total, "at {at}");
        }
    }
    // each week changes twice: ten years have more steps than the result contains
    let timeline = steps(&bed, &bed.scope, None, 0, 3_650).await;
    assert_eq!((timeline.steps.len(), timeline.cut), (STEPS_MAX, true));
}
