//! Where the demo's companies keep their steel.

use chrono::{Datelike, NaiveDate};
use kernel::{Database, Result, Scope, TenantId, now};
use logistics::{
    closure::{self, ClosureInput},
    region::Region,
    warehouse::{self, WarehouseInput, Warehouses},
};

use super::{NORDSTAHL, SUEDROHR};

/// Of whom, name, short code, address, region, minutes of preparation, cut-off.
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

/// Fills in the warehouses of tenants that have none, and when they are closed at the end of the year.
pub(super) async fn fill(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    for (short_code, tenant) in tenants {
        let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
        let own: Vec<_> = WAREHOUSES.iter().filter(|(of, ..)| of == short_code).collect();
        let known = scope.find::<Warehouses>().all(db).await?;
        for (_, name, code, address, region, minutes, cut_off) in own {
            if known.iter().any(|warehouse| warehouse.short_code == *code) {
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
            warehouse::create(db, &scope, input).await?;
        }
        if known.is_empty()
            && let Some(date) = NaiveDate::from_ymd_opt(now().year(), 12, 24)
        {
            let input = ClosureInput { date, name: "Heiligabend".to_owned(), warehouse_id: None };
            closure::create(db, &scope, input).await?;
        }
    }
    Ok(())
}
