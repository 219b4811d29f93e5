//! Rules for tables, so that those of tenants can be distributed by tenant later: a check of all tables, keys
//! and indexes of both databases. A table that deviates gives its reason in `migrations::kind`.

use std::collections::{BTreeMap, BTreeSet};

use migrations::kind::{Kind, NAME_MAX, Rows, TABLES, Table};
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement};
use stalhof::sealed_columns::SEALED_COLUMNS;
use store::Database;

/// Tables that are not ours.
const NOT_OURS: [&str; 3] = ["seaql_migrations", "sqlite_", "article_trigram"];

#[derive(Debug, Default)]
struct Schema {
    /// Name, type, and true if NULL is refused.
    columns: BTreeMap<String, Vec<(String, String, bool)>>,
    primary: BTreeMap<String, Vec<String>>,
    indexes: Vec<Index>,
    keys: Vec<ForeignKey>,
    triggers: Vec<(String, String)>,
}

#[derive(Debug)]
struct Index {
    table: String,
    name: String,
    unique: bool,
    /// Columns; an expression is `?`.
    columns: Vec<String>,
}

#[derive(Debug)]
struct ForeignKey {
    table: String,
    name: String,
    columns: Vec<String>,
    to: String,
    to_columns: Vec<String>,
    on_delete: String,
}

async fn rows(db: &Database, sql: &str) -> Vec<QueryResult> {
    db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap()
}

fn text(row: &QueryResult, column: &str) -> String {
    row.try_get::<Option<String>>("", column).unwrap().unwrap_or_default()
}

fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn ours(table: &str) -> bool {
    !NOT_OURS.iter().any(|other| table.starts_with(other))
}

const SQLITE: [&str; 5] = [
    "SELECT m.name AS t, p.name AS c, p.type AS kind, p.\"notnull\" AS filled FROM sqlite_master m, \
     pragma_table_info(m.name) p WHERE m.type = 'table' ORDER BY m.name, p.cid",
    "SELECT m.name AS t, group_concat(p.name, ',' ORDER BY p.pk) AS columns FROM sqlite_master m, \
     pragma_table_info(m.name) p WHERE m.type = 'table' AND p.pk > 0 GROUP BY m.name",
    "SELECT m.name AS t, l.name AS name, l.\"unique\" AS is_unique, (SELECT group_concat(coalesce(i.name, '?'), ',' \
     ORDER BY i.seqno) FROM pragma_index_info(l.name) i) AS columns FROM sqlite_master m, pragma_index_list(m.name) l \
     WHERE m.type = 'table' AND l.origin <> 'pk'",
    "SELECT m.name AS t, '' AS name, group_concat(f.\"from\", ',' ORDER BY f.seq) AS columns, f.\"table\" AS target, \
     group_concat(f.\"to\", ',' ORDER BY f.seq) AS to_columns, f.on_delete AS on_delete FROM sqlite_master m, \
     pragma_foreign_key_list(m.name) f WHERE m.type = 'table' GROUP BY m.name, f.id",
    "SELECT tbl_name AS t, name FROM sqlite_master WHERE type = 'trigger'",
];

const POSTGRES: [&str; 5] = [
    "SELECT c.relname::text AS t, a.attname::text AS c, format_type(a.atttypid, a.atttypmod) AS kind, \
     a.attnotnull::int::bigint AS filled FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relkind IN ('r', 'p') \
     AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped \
     ORDER BY c.relname, a.attnum",
    "SELECT DISTINCT coalesce(w.relname, t.relname)::text AS t, (SELECT string_agg(a.attname, ',' ORDER BY k.n) \
     FROM unnest(x.indkey::int2[]) WITH ORDINALITY k(att, n) \
     JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.att) AS columns \
     FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid LEFT JOIN pg_inherits h ON h.inhrelid = t.oid \
     LEFT JOIN pg_class w ON w.oid = h.inhparent WHERE x.indisprimary \
     AND t.relnamespace = current_schema()::regnamespace",
    "SELECT t.relname::text AS t, i.relname::text AS name, x.indisunique::int::bigint AS is_unique, \
     (SELECT string_agg(coalesce(a.attname, '?'), ',' ORDER BY k.n) FROM unnest(x.indkey::int2[]) WITH ORDINALITY \
     k(att, n) LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.att AND k.att > 0) AS columns \
     FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid \
     WHERE NOT x.indisprimary AND NOT t.relispartition AND t.relnamespace = current_schema()::regnamespace",
    "SELECT t.relname::text AS t, c.conname::text AS name, (SELECT string_agg(a.attname, ',' ORDER BY k.n) \
     FROM unnest(c.conkey) WITH ORDINALITY k(att, n) JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.att) \
     AS columns, p.relname::text AS target, (SELECT string_agg(a.attname, ',' ORDER BY k.n) FROM unnest(c.confkey) \
     WITH ORDINALITY k(att, n) JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.att) AS to_columns, \
     CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'r' THEN 'RESTRICT' WHEN 'n' THEN 'SET NULL' ELSE 'NO ACTION' END \
     AS on_delete FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class p ON p.oid = c.confrelid \
     WHERE c.contype = 'f' AND t.relnamespace = current_schema()::regnamespace",
    "SELECT c.relname::text AS t, g.tgname::text AS name FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid \
     WHERE NOT g.tgisinternal AND c.relnamespace = current_schema()::regnamespace",
];

impl Schema {
    async fn read(db: &Database) -> Self {
        let [columns, primary, indexes, keys, triggers] =
            if db.get_database_backend() == DbBackend::Sqlite { SQLITE } else { POSTGRES };
        let mut schema = Self::default();
        for row in rows(db, columns).await.iter().filter(|row| ours(&text(row, "t"))) {
            let filled = row.try_get::<i64>("", "filled").unwrap() > 0;
            let column = (text(row, "c"), text(row, "kind").to_lowercase(), filled);
            schema.columns.entry(text(row, "t")).or_default().push(column);
        }
        for row in rows(db, primary).await {
            schema.primary.insert(text(&row, "t"), list(&text(&row, "columns")));
        }
        for row in rows(db, indexes).await.iter().filter(|row| ours(&text(row, "t"))) {
            schema.indexes.push(Index {
                table: text(row, "t"),
                name: text(row, "name"),
                unique: row.try_get::<i64>("", "is_unique").unwrap() > 0,
                columns: list(&text(row, "columns")),
            });
        }
        for row in rows(db, keys).await.iter().filter(|row| ours(&text(row, "t"))) {
            schema.keys.push(ForeignKey {
                table: text(row, "t"),
                name: text(row, "name"),
                columns: list(&text(row, "columns")),
                to: text(row, "target"),
                to_columns: list(&text(row, "to_columns")),
                on_delete: text(row, "on_delete"),
            });
        }
        let triggers = rows(db, triggers).await;
        schema.triggers = triggers.iter().map(|row| (text(row, "t"), text(row, "name"))).collect();
        schema
    }

    /// Deviations of a table from the rules.
    fn deviations(&self, table: &Table, tables: &[Table]) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let name = table.name;
        let indexes = || self.indexes.iter().filter(|index| index.table == name);
        let keys = || self.keys.iter().filter(|key| key.table == name);
        let names = indexes().map(|index| &index.name).chain(keys().map(|key| &key.name));
        found.extend(names.filter(|name| name.len() > NAME_MAX).map(|name| format!("{name} is too long")));
        found.extend(
            self.triggers
                .iter()
                .filter(|(of, _)| of == name)
                .map(|(_, trigger)| format!("trigger {trigger}")),
        );
        for key in keys() {
            let to = tables.iter().find(|table| table.name == key.to);
            let to = to.unwrap_or_else(|| panic!("{} is in no line of migrations::kind", key.to));
            let reaches = match table.kind {
                Kind::Reference => to.kind == Kind::Reference,
                Kind::Local => to.kind != Kind::Distributed,
                Kind::Distributed => to.kind != Kind::Local,
            };
            if !reaches {
                found.insert(format!("{:?} refers to {}, which is {:?}", key.columns, key.to, to.kind));
            }
            // only parts of a tenant are deleted with it
            let part = matches!(table.rows, Rows::Of(column, of) if of == key.to && key.columns.last().unwrap() == column);
            if key.to == "tenant" && !part && key.on_delete != "RESTRICT" {
                found.insert(format!("a tenant who is deleted is no {} for {name}", key.on_delete));
            }
        }
        if table.kind == Kind::Distributed {
            self.distributed(table, tables, &mut found);
        } else if table.rows != Rows::Platform {
            found.insert("holds rows of tenants and is not distributed".to_owned());
        }
        found
    }

    fn distributed(&self, table: &Table, tables: &[Table], found: &mut BTreeSet<String>) {
        let name = table.name;
        let columns = &self.columns[name];
        let column = |name: &str| columns.iter().find(|(known, ..)| known == name);
        if !column("tenant_id")
            .is_some_and(|(_, kind, filled)| ["bigint", "integer"].contains(&&**kind) && *filled)
        {
            found.insert("tenant_id is no bigint NOT NULL".to_owned());
        }
        let of = |columns: &[&str]| columns.iter().map(ToString::to_string).collect::<Vec<_>>();
        let indexes = || self.indexes.iter().filter(|index| index.table == name);
        let primary = self.primary.get(name).cloned().unwrap_or_default();
        let is_part = !columns.iter().any(|(name, ..)| name == "id");
        let by_rowid = primary == of(&["id"])
            && column("id").is_some_and(|(_, kind, _)| kind == "integer")
            && indexes().any(|index| index.unique && index.columns == of(&["tenant_id", "id"]));
        let by_tenant = primary.first().is_some_and(|first| first == "tenant_id");
        if !by_rowid && !(by_tenant && (is_part || primary == of(&["tenant_id", "id"]))) {
            found.insert(format!("the primary key is {primary:?}"));
        }
        for Index { name: index, unique, columns, .. } in indexes() {
            let leading = columns.first().map(String::as_str).unwrap_or_default();
            if *unique && leading != "tenant_id" {
                found.insert(format!("{index} does not begin with the tenant"));
            }
            let optional = columns.iter().find(|name| !column(name).is_some_and(|(.., filled)| *filled));
            if *unique && optional.is_some() {
                found.insert(format!("{index} is unique over something optional"));
            }
            let besides = [of(&["id"]), of(&["updated_at", "id"])].contains(columns)
                || self.keys.iter().any(|key| {
                    key.table == name
                        && key.columns == *columns
                        && tables.iter().any(|to| to.name == key.to && to.kind == Kind::Reference)
                });
            if !unique && leading != "tenant_id" && !besides {
                found.insert(format!("{index} does not begin with the tenant"));
            }
        }
        for key in self.keys.iter().filter(|key| key.table == name) {
            let to = tables.iter().find(|table| table.name == key.to).map(|table| table.kind);
            let composite = key.columns.len() == 2
                && key.columns[0] == "tenant_id"
                && key.to_columns == of(&["tenant_id", "id"]);
            if to == Some(Kind::Distributed) && !composite {
                found.insert(format!("{:?} refers without the tenant", key.columns));
            }
            let part = matches!(table.rows, Rows::Of(column, of) if of == key.to && key.columns.last().unwrap() == column);
            // rows of one table may be deleted together
            let together = key.to == name && key.on_delete == "NO ACTION";
            if key.on_delete != "RESTRICT" && !together && !(part && key.on_delete == "CASCADE") {
                found.insert(format!("{:?} says {}", key.columns, key.on_delete));
            }
        }
    }
}

#[actix_web::test]
async fn tables_follow_the_rules_or_declare_an_exception() {
    let db = testkit::database().await;
    let schema = Schema::read(&db).await;
    let known: BTreeSet<_> = TABLES.iter().map(|table| table.name.to_owned()).collect();
    assert_eq!(known.len(), TABLES.len(), "a table has one line");
    assert_eq!(schema.columns.keys().cloned().collect::<BTreeSet<_>>(), known);
    assert!(schema.indexes.len() > 80 && schema.keys.len() > 25, "the walk finds nothing");
    // SQLite has no names of keys, and PostgreSQL no triggers
    let elsewhere = match db.get_database_backend() {
        DbBackend::Sqlite => "",
        _ => "article",
    };
    for table in TABLES {
        let found = schema.deviations(table, TABLES);
        let cascades = found.iter().find(|deviation| deviation.starts_with("a tenant who is deleted"));
        assert_eq!(cascades, None, "no reason is good enough for that");
        let stated = !table.because.is_empty();
        assert!(stated || found.is_empty(), "{}: {found:?}", table.name);
        let idle = stated && found.is_empty() && table.name != elsewhere;
        assert!(!idle, "{} keeps all rules and says why not", table.name);
    }
}

/// A sealed column that is not listed would stay encrypted with a former key, which is then removed.
#[actix_web::test]
async fn every_sealed_column_is_rotated() {
    let db = testkit::database().await;
    let schema = Schema::read(&db).await;
    let sealed = schema.columns.iter().flat_map(|(table, columns)| {
        let columns = columns.iter().filter(|(name, ..)| name.ends_with("_sealed"));
        columns.map(move |(name, ..)| format!("{table}.{name}"))
    });
    let listed: BTreeSet<_> = SEALED_COLUMNS.iter().map(ToString::to_string).collect();
    assert_eq!(sealed.collect::<BTreeSet<_>>(), listed);
}

#[actix_web::test]
async fn every_table_declares_its_owner_and_follows_tables_that_refer_to_it() {
    let db = testkit::database().await;
    let schema = Schema::read(&db).await;
    let place = |name: &str| TABLES.iter().position(|table| table.name == name).unwrap();
    for table in TABLES {
        let columns: Vec<_> = schema.columns[table.name].iter().map(|(name, ..)| name.as_str()).collect();
        match table.rows {
            Rows::Platform => assert!(!columns.contains(&"tenant_id"), "{} has tenants' rows", table.name),
            Rows::Tenant(column) => assert!(columns.contains(&column), "{}", table.name),
            Rows::Of(column, of) => {
                assert!(columns.contains(&column), "{}", table.name);
                assert_ne!(TABLES[place(of)].rows, Rows::Platform, "{} has no owner", table.name);
            }
        }
    }
    for key in schema.keys.iter().filter(|key| key.table != key.to) {
        let whole = TABLES[place(&key.to)].rows != Rows::Platform;
        let part = TABLES[place(&key.table)].rows != Rows::Platform;
        // the warehouse of a removed tenant is detached from its node before
        let is_emptied = (&*key.table, &*key.to) == ("shipping_node", "warehouse");
        assert!(part || !whole || is_emptied, "{} refers to {} and has no owner", key.table, key.to);
        assert!(place(&key.table) < place(&key.to), "{} goes before {}", key.table, key.to);
    }
}

#[actix_web::test]
async fn a_table_that_breaks_the_rules_is_found() {
    let db = testkit::database().await;
    let tx = db.begin().await.unwrap();
    let id = match db.get_database_backend() {
        DbBackend::Sqlite => "id integer NOT NULL PRIMARY KEY",
        _ => "id bigint NOT NULL PRIMARY KEY",
    };
    for sql in [
        format!(
            "CREATE TABLE bad_depot ({id}, tenant_id bigint REFERENCES tenant (id) ON DELETE CASCADE, \
             made_by bigint REFERENCES \"user\" (id) ON DELETE SET NULL, name text, fold text NOT NULL)"
        ),
        format!(
            "CREATE TABLE bad_bin ({id}, tenant_id bigint NOT NULL, depot bigint REFERENCES bad_depot (id) ON DELETE SET NULL)"
        ),
        "CREATE UNIQUE INDEX bad_depot_name_key ON bad_depot (fold)".to_owned(),
        "CREATE UNIQUE INDEX bad_depot_optional_key ON bad_depot (tenant_id, name)".to_owned(),
        "CREATE UNIQUE INDEX bad_depot_expression_key ON bad_depot (coalesce(tenant_id, 0), fold)".to_owned(),
        "CREATE INDEX bad_depot_list ON bad_depot (name, id)".to_owned(),
        format!("CREATE INDEX bad_{} ON bad_depot (tenant_id, name)", "x".repeat(51)),
    ] {
        tx.execute_unprepared(&sql).await.unwrap();
    }
    tx.commit().await.unwrap();
    let schema = Schema::read(&db).await;
    let line = |name, rows| Table { name, kind: Kind::Distributed, rows, because: "" };
    let tables = [line("bad_depot", Rows::Tenant("tenant_id")), line("bad_bin", Rows::Tenant("tenant_id"))];
    let all: Vec<_> = tables.iter().chain(TABLES).copied().collect();
    let expected: [&[&str]; 2] = [
        &[
            "tenant_id is no bigint NOT NULL",
            "the primary key is [\"id\"]",
            "bad_depot_name_key does not begin with the tenant",
            "bad_depot_optional_key is unique over something optional",
            "bad_depot_expression_key does not begin with the tenant",
            "bad_depot_list does not begin with the tenant",
            "xxx is too long",
            "a tenant who is deleted is no CASCADE for bad_depot",
            "[\"made_by\"] refers to user, which is Local",
            "[\"made_by\"] says SET NULL",
            "[\"tenant_id\"] says CASCADE",
        ],
        &[
            "the primary key is [\"id\"]",
            "[\"depot\"] refers without the tenant",
            "[\"depot\"] says SET NULL",
        ],
    ];
    for (table, expected) in tables.iter().zip(expected) {
        let found = schema.deviations(table, &all);
        for expected in expected {
            assert!(found.iter().any(|found| found.contains(expected)), "{expected} in {found:?}");
        }
    }
    let local = Table { kind: Kind::Local, ..tables[1] };
    let found = schema.deviations(&local, &all);
    assert!(found.contains("holds rows of tenants and is not distributed"), "{found:?}");
}

#[actix_web::test]
async fn the_database_refuses_to_delete_a_tenant_with_records() {
    let app = crate::support::TestApp::new().await;
    app.user(Some(app.north), values::PermissionSet::default()).await;
    let delete = async |tenant: i64| {
        let tx = app.db.begin().await.unwrap();
        tx.execute_unprepared(&format!("DELETE FROM tenant WHERE id = {tenant}")).await?;
        tx.commit().await
    };
    delete(app.north).await.unwrap_err();
    delete(app.south).await.unwrap();
    let left = rows(&app.db, "SELECT id FROM \"user\" WHERE tenant_id IS NOT NULL").await;
    assert_eq!(left.len(), 1);
}
