//! Warehouses of the demo's companies, and other systems' numbers for their articles and warehouses.

use api::demo_accounts::{NORDSTAHL, SUEDROHR};
use chrono::{Datelike, NaiveDate};
use lists::Creatable;
use logistics::{
    calendar::region::Region,
    matching::{MatchingInput, Matchings},
    warehouse::{
        WarehouseInput, Warehouses,
        closure::{self, ClosureInput},
    },
};
use store::{Database, Scope};
use values::{Result, TenantId, today};

/// Tenant, name, short code, address, region, preparation in minutes, cut-off.
type Depot = (&'static str, &'static str, &'static str, &'static str, Region, i64, Option<&'static str>);

const WAREHOUSES: &[Depot] = &[
    (
        NORDSTAHL,
        "Lager Duisburg",
        "DU",
        "Hafenstraße 14, 47119 Duisburg",
        Region::NorthRhineWestphalia,
        120,
        Some("12:00"),
    ),
    (NORDSTAHL, "Lager Hamburg", "HH", "Kaistraße 3, 20457 Hamburg", Region::Hamburg, 90, Some("14:00")),
    (NORDSTAHL, "Lager Leipzig", "L", "Messeallee 8, 04356 Leipzig", Region::Saxony, 240, Some("11:00")),
    (
        SUEDROHR,
        "Lager Mannheim",
        "MA",
        "Rheinkaistraße 21, 68159 Mannheim",
        Region::BadenWuerttemberg,
        120,
        Some("12:30"),
    ),
    (SUEDROHR, "Lager Nürnberg", "N", "Hafenring 2, 90451 Nürnberg", Region::Bavaria, 60, Some("15:00")),
    (SUEDROHR, "Lager Linz", "LNZ", "Industriezeile 47, 4020 Linz", Region::Austria, 1_440, None),
];

/// Creates the warehouses of tenants that have none, with a closure at the end of the year.
pub(super) async fn fill(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    for (short_code, tenant) in tenants {
        let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
        let own: Vec<_> = WAREHOUSES.iter().filter(|(tenant, ..)| tenant == short_code).collect();
        let existing = scope.find::<Warehouses>().all(db).await?;
        for (_, name, code, address, region, minutes, cut_off) in own {
            if existing.iter().any(|warehouse| warehouse.short_code == *code) {
                continue;
            }
            let input = WarehouseInput {
                name: (*name).to_owned(),
                short_code: (*code).to_owned(),
                preparation_duration_before: *minutes,
                preparation_shift_time: cut_off.map(str::to_owned),
                address: Some((*address).to_owned()),
                region: Some(*region),
                version: None,
            };
            Warehouses::create(db, &scope, input).await?;
        }
        if existing.is_empty()
            && let Some(date) = NaiveDate::from_ymd_opt(today().year(), 12, 24)
        {
            let input = ClosureInput { date, name: "Heiligabend".to_owned(), warehouse_id: None };
            closure::create(db, &scope, input).await?;
        }
    }
    Ok(())
}

/// Our number, and that of the other system.
type Pair = (&'static str, &'static str);

/// Tenant, its number in the other system, article, warehouse.
type Naming = (&'static str, &'static str, Option<Pair>, Option<Pair>);

const NORD: &str = "K-10077";
const SUED: &str = "2200";

/// Matchings for articles of the demo's catalogue.
const MATCHINGS: &[Naming] = &[
    (NORDSTAHL, NORD, None, Some(("DU", "0100"))),
    (NORDSTAHL, NORD, None, Some(("HH", "0200"))),
    (NORDSTAHL, NORD, Some(("HEB-200-S235JR-12.1", "0004711")), None),
    (NORDSTAHL, NORD, Some(("HEB-200-S355J2-12.1", "0004712")), None),
    (NORDSTAHL, NORD, Some(("FL-50x10-S235JR-6", "0008150")), None),
    (NORDSTAHL, NORD, Some(("FL-50x10-S235JR-6", "0008151")), Some(("HH", "0200"))),
    (SUEDROHR, SUED, None, Some(("MA", "W-MA"))),
    (SUEDROHR, SUED, Some(("HPK-100x100x5-S355J2H-12", "RO 4711")), None),
    (SUEDROHR, SUED, Some(("HPK-100x50x4-S235JRH-6", "RO 4720")), None),
    (SUEDROHR, SUED, Some(("FL-50x10-S235JR-6", "FL 50/10")), Some(("MA", "W-MA"))),
];

/// Creates the matchings of tenants that have none.
pub(super) async fn match_up(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    for (short_code, tenant) in tenants {
        let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
        if scope.find::<Matchings>().one(db).await?.is_some() {
            continue;
        }
        for (_, name, article, warehouse) in MATCHINGS.iter().filter(|(tenant, ..)| tenant == short_code) {
            let own = |pair: &Option<Pair>| pair.map(|(own, _)| own.to_owned());
            let external = |pair: &Option<Pair>| pair.map(|(_, external)| external.to_owned());
            let input = MatchingInput {
                article_number: own(article),
                external_article_number: external(article),
                warehouse_short_code: own(warehouse),
                external_warehouse_identifier: external(warehouse),
                external_tenant_identifier: Some((*name).to_owned()),
                ..MatchingInput::default()
            };
            Matchings::create(db, &scope, input).await?;
        }
    }
    Ok(())
}
