//! Pages of a large list: the same for every way of reading them.

use catalog::material::{ActiveModel, Material, MaterialInput, Materials};
use lists::{Creatable, ListQuery, Page};
use sea_orm::ActiveValue::Set;
use store::{Database, Scope};
use values::Decimal;

/// Number of rows from which totals are cached.
const ROWS: i64 = 7_000;

async fn filled() -> testkit::TestDatabase {
    let db = testkit::database().await;
    let tx = db.begin().await.unwrap();
    let row = |number: i64| ActiveModel {
        name: Set(format!("Stahl {number}")),
        name_fold: Set(format!("stahl {number}")),
        display_name_fold: Set(if number < 6_500 { "a" } else { "b" }.to_owned()),
        density: Set((number % 3 == 0).then(|| Decimal::from_millionths(number % 70 + 1))),
        article_number_name_fold: Set(String::new()),
        material_number_fold: Set(String::new()),
        ..Default::default()
    };
    Scope::platform().create_all::<Materials>(&tx, (0..ROWS).map(row)).await.unwrap();
    tx.commit().await.unwrap();
    db
}

async fn page(db: &Database, parameters: &[(&str, &str)]) -> Page<Material> {
    let query = ListQuery::<Materials>::parse(parameters.iter().copied()).unwrap();
    query.fetch(db, &Scope::platform(), |select| select).await.unwrap()
}

fn ids(page: &Page<Material>) -> Vec<i64> {
    page.rows.iter().map(|row| row.id).collect()
}

#[actix_web::test]
async fn pages_read_by_index_equal_those_of_a_full_scan() {
    let db = filled().await;
    for sort in ["name", "-name", "density", "-density", "updated_at", "-updated_at"] {
        for filter in
            [("filter[name]", "stahl"), ("filter[display_name]", "b"), ("filter[density_greater_than]", "0")]
        {
            let pages = ["1", "2", "9", "60", "88", "175", "176"];
            let of = |number| [("sort", sort), filter, ("page[number]", number), ("page[size]", "40")];
            let mut walked = Vec::new();
            for number in pages {
                walked.push(page(&db, &of(number)).await);
            }
            let query = ListQuery::<Materials>::parse(of("1")).unwrap();
            let through_index = sort.starts_with('-');
            for every in [64, 1] {
                query.build_page_index(&db, &Scope::platform(), through_index, every).await.unwrap();
                for (number, walked) in pages.into_iter().zip(&walked) {
                    let indexed = page(&db, &of(number)).await;
                    assert_eq!(ids(&indexed), ids(walked), "{sort} {filter:?} page {number}, every {every}");
                    assert_eq!(indexed.total, walked.total);
                }
            }
        }
    }
}

#[actix_web::test]
async fn a_new_row_is_on_its_page_immediately() {
    let db = filled().await;
    let first = [("sort", "name"), ("filter[name]", "stahl")];
    let query = ListQuery::<Materials>::parse(first).unwrap();
    query.build_page_index(&db, &Scope::platform(), false, 1).await.unwrap();
    let input = MaterialInput {
        name: "Ein Stahl".to_owned(),
        display_name: None,
        article_number_name: None,
        material_number: None,
        density: None,
        change_articles: None,
        version: None,
    };
    Materials::create(&db, &Scope::platform(), input).await.unwrap();
    assert_eq!(page(&db, &first).await.rows[0].name, "Ein Stahl");
}
