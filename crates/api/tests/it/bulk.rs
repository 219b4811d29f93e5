//! Bulk writing on both databases.

use kernel::bulk::{Data, Table};
use sea_orm::{ConnectionTrait, DbBackend, Statement};

#[actix_web::test]
async fn rows_are_inserted_and_updated_in_bulk() {
    let db = testkit::database().await;
    let tx = db.begin().await.unwrap();
    tx.execute_unprepared(
        "CREATE TABLE bulk (id bigint PRIMARY KEY, n bigint, t text, b boolean, j text, c bigint, u bigint)",
    )
    .await
    .unwrap();
    let numbers: Vec<i64> = (0..12_345).collect();
    let table = || {
        let optional = |number: &i64| (number % 2 == 0).then_some(*number);
        Table::default()
            .with("id", Data::Integers(numbers.clone()))
            .with("n", Data::OptionalIntegers(numbers.iter().map(optional).collect()))
            .with("t", Data::Texts(numbers.iter().map(|number| format!("ä'{number}")).collect()))
            .with("b", Data::Booleans(numbers.iter().map(|number| number % 3 == 0).collect()))
            .constant("c", 7_i64)
    };
    table().insert_into(&tx, "bulk", "").await.unwrap();
    table().insert_into(&tx, "bulk", "ON CONFLICT (id) DO UPDATE SET u = excluded.id").await.unwrap();
    let changed = Table::default()
        .with("id", Data::Integers(vec![5, 6]))
        .with("t", Data::Texts(vec!["five".into(), "six".into()]))
        .constant("c", 8_i64);
    changed.update(&tx, "bulk", &["n = bulk.n + 1"]).await.unwrap();
    Table::default().with("id", Data::Integers(Vec::new())).update(&tx, "bulk", &[]).await.unwrap();

    let sums = "SELECT count(*) AS rows, sum(c)::bigint AS c, count(n) AS n, sum(u)::bigint AS u, \
                (SELECT t FROM bulk WHERE id = 6) AS t, (SELECT n FROM bulk WHERE id = 6) AS six, (SELECT t FROM bulk WHERE id = 12344) AS last FROM bulk";
    let sums = if tx.get_database_backend() == DbBackend::Sqlite {
        sums.replace("::bigint", "")
    } else {
        sums.into()
    };
    let row =
        tx.query_one_raw(Statement::from_string(tx.get_database_backend(), sums)).await.unwrap().unwrap();
    let integer = |name: &str| row.try_get::<i64>("", name).unwrap();
    let rows = i64::try_from(numbers.len()).unwrap();
    assert_eq!((integer("rows"), integer("c"), integer("n")), (rows, 7 * rows + 2, 6_173));
    assert_eq!(integer("u"), numbers.iter().sum::<i64>());
    assert_eq!(row.try_get::<String>("", "t").unwrap(), "six");
    assert_eq!(integer("six"), 7);
    assert_eq!(row.try_get::<String>("", "last").unwrap(), "ä'12344");
}
