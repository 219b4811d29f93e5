//! Packed rows are read like single rows.

use lists::ListQuery;

use super::*;
use crate::{
    import::{Import, ImportStatus, row},
    testbed::Bed,
};

fn row(line: i64, outcome: Outcome, record_id: Option<i64>) -> ActiveModel {
    ActiveModel {
        line: Set(line),
        outcome: Set(outcome),
        record_id: Set(record_id),
        record_name: Set(format!("\"{line}\"")),
        warnings: Set(None),
        packed: Set(None),
        ..Default::default()
    }
}

fn stored(row: &ActiveModel) -> StoredPart {
    (line(row), record(row), row.packed.clone().unwrap())
}

#[test]
fn unchanged_rows_are_packed_per_thousand_lines() {
    let unchanged = [2, 4, 999, 1_000, 1_001].map(|line| row(line, Outcome::Unchanged, Some(line * 7)));
    let others = [row(3, Outcome::Updated, Some(21)), row(5, Outcome::Unchanged, None)];
    let rows = pack(others.iter().cloned().chain(unchanged).collect());
    assert_eq!(rows.iter().map(line).collect::<Vec<_>>(), [3, 5, 2, 1_000]);
    assert_eq!(rows[..2], others);
    assert!(rows[2..].iter().all(|row| record(row).is_none()));
    let text = serde_json::to_string(rows[3].packed.as_ref()).unwrap();
    assert_eq!(text, r#"{"0":[7000,"\"1000\""],"1":[7007,"\"1001\""]}"#);
    let actual: Vec<_> = rows[2..].iter().flat_map(|row| singles(stored(row))).collect();
    assert_eq!(actual, [2, 4, 999, 1_000, 1_001].map(|line| (line, Some(line * 7))));
}

#[test]
fn an_unpacked_row_is_read_as_a_single_row() {
    assert_eq!(singles(stored(&row(3, Outcome::Created, None))), [(3, None)]);
}

/// Number of rows: more than one batch.
const ROWS: u32 = 2_400;

/// Notes with their numbers, and rows that follow.
fn file(again: &str) -> String {
    let rows = (0..ROWS).map(|row| format!("N{row};{row}\n"));
    "Name;Zahl\n".to_owned() + &rows.collect::<String>() + again
}

async fn lines(bed: &Bed, import: &Import, query: &[(&str, &str)]) -> (Vec<i64>, u64) {
    let query = ListQuery::parse(query.iter().copied()).unwrap();
    let page = row::list(&bed.db, &Scope::platform(), import.id, &query).await.unwrap();
    (page.rows.iter().map(|row| row.line).collect(), page.total)
}

#[tokio::test]
async fn the_list_shows_packed_rows_one_by_one() {
    let bed = Bed::new().await;
    bed.import(file("")).await;
    let import = bed.import(file("").replace("N7;7\n", "N7;8\n")).await;
    assert_eq!((import.rows_unchanged, import.rows_updated), (2_399, 1));
    assert_eq!(bed.stored_row_count().await, 2_400 + 6, "five packs and a row that has changed");

    let page = [("page[size]", "3"), ("page[number]", "4")];
    assert_eq!(lines(&bed, &import, &page).await, (vec![11, 12, 13], 2_400));
    let last = [("page[size]", "2"), ("sort", "-line")];
    assert_eq!(lines(&bed, &import, &last).await, (vec![2_401, 2_400], 2_400));
    assert_eq!(lines(&bed, &import, &[("filter[outcome]", "updated")]).await, (vec![9], 1));
    let unchanged = [("filter[outcome]", "unchanged"), ("filter[line_greater_equals]", "2400")];
    assert_eq!(lines(&bed, &import, &unchanged).await, (vec![2_400, 2_401], 2));
    let record = bed.notes().await.into_iter().find(|note| note.name == "N1500").unwrap().id;
    let of_record = [("filter[record_id]", &*record.to_string())];
    assert_eq!(lines(&bed, &import, &of_record).await, (vec![1_502], 1));
    let row = &bed.rows(&import).await[0];
    assert_eq!((row.line, row.outcome, &*row.record_name), (2, Outcome::Unchanged, "N0"));
}

#[tokio::test]
async fn a_repeated_record_is_refused_after_an_interruption() {
    for dry_run in [false, true] {
        let bed = Bed::new().await;
        bed.import(file("")).await;
        let import = bed.upload(&bed.scope, file("N5;1\nN2000;1\n"), dry_run).await;
        bed.work_on_first_batch().await;
        assert_eq!(bed.now(&import).await.checkpoint, 1_001);
        let import = bed.work(&import).await;
        assert_eq!((import.status, import.rows_unchanged), (ImportStatus::PartialSuccess, 2_400));
        let reasons = bed.reasons(&import).await;
        for ((_, reason), line) in reasons.iter().zip([7, 2_002]) {
            let repeated = format!("Name: Der Eintrag kommt in dieser Datei schon in Zeile {line} vor");
            assert_eq!(reason, &[repeated], "dry run: {dry_run}");
        }
    }
}
