//! Tests of unresolved numbers on a database.

use imports::{
    import::{Import, replay_cause::ReplayCause, uploader::Uploader},
    registry::Registry,
    testbed::{Bed, counts},
    unresolved::{self, UnresolvedNumber},
};
use values::{Language, PermissionSet, Validated};

use super::*;
use crate::{
    stock::{Stock, Stocks, import::StockImporter},
    testbed::{articles, warehouse},
};

async fn bed() -> Bed {
    let bed = Bed::for_importer::<StockImporter>().await;
    articles(&bed.db, &[("HEB-200", "12.1", None), ("HEB-220", "12.1", None)]).await;
    warehouse(&bed, &bed.scope, "DU").await;
    warehouse(&bed, &bed.other, "LNZ").await;
    bed
}

async fn numbers(bed: &Bed, scope: &Scope) -> Vec<UnresolvedNumber> {
    scope.find::<UnresolvedNumbers>().order_by_asc(Column::Id).all(&*bed.db).await.unwrap()
}

async fn quantities(bed: &Bed) -> Vec<String> {
    let stocks: Vec<Stock> = bed.scope.find::<Stocks>().all(&*bed.db).await.unwrap();
    let mut quantities: Vec<_> = stocks
        .iter()
        .map(|stock| {
            format!("{} {}", stock.name, stock.quantity.map(|it| it.to_string()).unwrap_or_default())
        })
        .collect();
    quantities.sort();
    quantities
}

struct Desk {
    registry: Registry,
}

impl Desk {
    fn new() -> Self {
        Self { registry: Registry::default().with::<StockImporter>() }
    }

    fn replay<'a>(&'a self, bed: &'a Bed, rights: PermissionSet) -> Replay<'a> {
        let by = Uploader { scope: &bed.scope, rights, language: Language::De };
        Replay {
            db: &bed.db,
            storage: &bed.storage,
            registry: &self.registry,
            by,
            cause: ReplayCause::Request,
        }
    }

    async fn match_article(&self, bed: &Bed, id: i64, article: &str) -> Result<Vec<Import>> {
        let input = MatchInput { article_number: Some(article.into()), ..MatchInput::default() };
        let replay = self.replay(bed, PermissionSet::all());
        Ok(match_number(replay, id, Validated::from(input)).await?.1)
    }
}

const FILE: &str = "Externe Artikelnummer;Bezeichnung;Lager;Menge\r\n\
    4711;Träger HEB-200, 12,1 m;DU;1,500\r\n\
    0815;;DU;2\r\n\
    4711;Träger HEB-200;XX;3\r\n";

#[tokio::test]
async fn a_number_is_counted_and_its_rows_are_imported_once_it_is_matched() {
    let bed = bed().await;
    let first = bed.import(FILE).await;
    assert_eq!((counts(&first), first.rows_unresolved), ([0, 0, 0, 1], 2));
    let open_numbers = numbers(&bed, &bed.scope).await;
    let actual: Vec<_> = open_numbers.iter().map(|it| (&*it.number, it.times, &*it.designation)).collect();
    // The row with an unknown warehouse is counted but does not wait, because it has to be corrected.
    assert_eq!(actual, [("0815", 1, ""), ("4711", 2, "Träger HEB-200")]);
    let waiting = unresolved::waiting_row_counts(&*bed.db, &bed.scope, open_numbers.iter().map(|it| it.id))
        .await
        .unwrap();
    assert_eq!((waiting[&open_numbers[0].id], waiting[&open_numbers[1].id]), (1, 1));
    assert!(numbers(&bed, &bed.other).await.is_empty());

    let desk = Desk::new();
    let replays = desk.match_article(&bed, open_numbers[1].id, "heb-200").await.unwrap();
    assert_eq!(replays.iter().map(|it| it.replays).collect::<Vec<_>>(), [Some(first.id)]);
    let replayed = bed.work(&replays[0]).await;
    assert_eq!(counts(&replayed), [1, 0, 0, 0]);
    // `1,500` has a comma, like the numbers of the whole file; read alone it could be 1500.
    assert_eq!(quantities(&bed).await, ["HEB-200, DU 1.5"]);
    let remaining: Vec<_> = numbers(&bed, &bed.scope).await.into_iter().map(|it| it.number).collect();
    assert_eq!(remaining, ["0815"]);

    // The next file needs no manual matching.
    let next = bed.import(FILE).await;
    assert_eq!(next.rows_unresolved, 1, "0815 alone");
}

#[tokio::test]
async fn rows_with_two_unresolved_numbers_are_replayed_after_the_second_match() {
    let bed = bed().await;
    bed.import("Externe Artikelnummer;Externe Lagerkennung;Menge\r\nA1;L1;5\r\n").await;
    let open_numbers = numbers(&bed, &bed.scope).await;
    let kinds: Vec<_> = open_numbers.iter().map(|it| (it.kind, &*it.number)).collect();
    assert_eq!(kinds, [(Kind::Article, "A1"), (Kind::Warehouse, "L1")]);
    let desk = Desk::new();
    assert!(desk.match_article(&bed, open_numbers[0].id, "HEB-200").await.unwrap().is_empty());
    let input = MatchInput { warehouse_short_code: Some("du".into()), ..MatchInput::default() };
    let replay = desk.replay(&bed, PermissionSet::all());
    let (_, imports) = match_number(replay, open_numbers[1].id, input.into()).await.unwrap();
    assert_eq!(imports.len(), 1);
    bed.work_off().await;
    assert_eq!(quantities(&bed).await, ["HEB-200, DU 5"]);
    assert!(numbers(&bed, &bed.scope).await.is_empty());
}

#[tokio::test]
async fn rows_wait_until_a_user_who_may_import_replays_them() {
    let bed = bed().await;
    let first = bed.import(FILE).await;
    let number = numbers(&bed, &bed.scope).await.remove(1);
    let desk = Desk::new();
    let input = MatchInput { article_number: Some("HEB-200".into()), ..MatchInput::default() };
    let replay = desk.replay(&bed, PermissionSet::default());
    let (_, imports) = match_number(replay, number.id, input.into()).await.unwrap();
    assert!(imports.is_empty());
    assert_eq!(numbers(&bed, &bed.scope).await[1].state, State::Open);

    let replays = replay_matched(desk.replay(&bed, PermissionSet::all())).await.unwrap();
    assert_eq!(replays.iter().map(|it| it.replays).collect::<Vec<_>>(), [Some(first.id)]);
    bed.work_off().await;
    assert_eq!(quantities(&bed).await, ["HEB-200, DU 1.5"]);
    let nothing = replay_matched(desk.replay(&bed, PermissionSet::all())).await.unwrap_err();
    assert!(format!("{nothing:?}").contains("nothing_waits"), "{nothing:?}");
}

#[tokio::test]
async fn a_dry_run_stores_no_numbers_and_ignored_numbers_stay_ignored() {
    let bed = bed().await;
    bed.dry_run(FILE).await;
    assert!(numbers(&bed, &bed.scope).await.is_empty());
    bed.import(FILE).await;
    let number = numbers(&bed, &bed.scope).await.remove(0);
    unresolved::ignore(&bed.db, &bed.scope, number.id, true).await.unwrap();
    bed.import(FILE).await;
    let now = numbers(&bed, &bed.scope).await.remove(0);
    assert_eq!((now.state, now.times), (State::Ignored, 2));
    unresolved::ignore(&bed.db, &bed.scope, number.id, false).await.unwrap();
    assert_eq!(numbers(&bed, &bed.scope).await.remove(0).state, State::Open);
}

#[tokio::test]
async fn articles_are_suggested_by_number_and_designation() {
    let bed = bed().await;
    bed.import(
        "Externe Artikelnummer;Bezeichnung;Lager;Menge\r\n\
         heb-220;;DU;1\r\n\
         X1;Träger HEB-200 blank gebeizt;DU;1\r\n\
         X2;Stabstahl;DU;1\r\n",
    )
    .await;
    let mut actual = Vec::new();
    for number in numbers(&bed, &bed.scope).await {
        let hits = suggestions(&bed.db, &bed.scope, &number).await.unwrap();
        let hits: Vec<_> = hits.into_iter().map(|it| (it.number, it.reason)).collect();
        actual.push((number.number, hits));
    }
    actual.sort_by(|a, b| a.0.cmp(&b.0));
    let expected = [
        ("X1".to_owned(), vec![("HEB-200".to_owned(), SuggestionReason::Designation)]),
        ("X2".to_owned(), vec![]),
        ("heb-220".to_owned(), vec![("HEB-220".to_owned(), SuggestionReason::SameNumber)]),
    ];
    assert_eq!(actual, expected);
}
