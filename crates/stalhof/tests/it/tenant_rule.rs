//! Rule that each statement for a tenant names it if it reads or changes rows of a table that is distributed
//! by tenant: otherwise it would be sent to all shards.

use migrations::kind::{Kind, TABLES};

/// Queries that name no tenant, each with the condition that restricts their rows instead.
const RESTRICTED_OTHERWISE: &[(&str, &str)] = &[
    (
        r#""price_list_entry"."price_list_id" IN ()"#,
        "entries of all price lists that the caller sees, whose owners are several tenants",
    ),
    (
        r#""import_profile"."id" IN ()"#,
        "rows of a page that a query within it has found for the tenant; few rows, kept by people",
    ),
];

fn is_restricted_otherwise(query: &str) -> bool {
    RESTRICTED_OTHERWISE.iter().any(|(condition, _)| query.contains(condition))
}

fn distributed() -> impl Iterator<Item = &'static str> {
    TABLES.iter().filter(|table| table.kind == Kind::Distributed).map(|table| table.name)
}

/// Table distributed by tenant in which a statement changes or deletes rows without naming the tenant. On one
/// database that costs an index, on shards it affects every shard.
pub(crate) fn writes_without_tenant(sql: &str) -> Option<&'static str> {
    let write = sql.strip_prefix("UPDATE ").or_else(|| sql.strip_prefix("DELETE FROM "))?;
    let (target, rest) = write.split_once(' ').unwrap_or((write, ""));
    let target = target.trim_matches('"');
    let table = distributed().find(|table| *table == target)?;
    let rows = format!(" {rest}");
    let which = rows.split_once(" WHERE ").map_or("", |(_, which)| which);
    (!which.contains("tenant_id")).then_some(table)
}

/// Tables distributed by tenant that a query, or a query within it, reads without naming a tenant.
pub(crate) fn reads_without_tenant(sql: &str) -> Vec<&'static str> {
    let queries = queries(sql);
    let without = queries.iter().filter(|query| !names_tenant(query) && !is_restricted_otherwise(query));
    without.flat_map(|query| tables_read(query)).collect()
}

/// All queries of a statement, each with `()` in place of nested ones.
fn queries(sql: &str) -> Vec<String> {
    let (mut complete, mut open, mut is_literal) = (Vec::new(), vec![String::new()], false);
    for character in sql.chars() {
        is_literal ^= character == '\'';
        match character {
            '(' if !is_literal => open.push(String::new()),
            ')' if !is_literal && open.len() > 1 => {
                let inner = open.pop().unwrap_or_default();
                if ["SELECT ", "WITH "].iter().any(|verb| inner.starts_with(verb)) {
                    complete.push(inner);
                    open.last_mut().unwrap().push_str("()");
                } else if let Some(outer) = open.last_mut() {
                    outer.extend(["(", &inner, ")"]);
                }
            }
            _ if is_literal => {}
            _ => open.last_mut().unwrap().push(character),
        }
    }
    complete.extend(open);
    complete.iter().flat_map(|query| query.split(" UNION ")).map(str::to_owned).collect()
}

fn names_tenant(query: &str) -> bool {
    let compared = query.match_indices("tenant_id").any(|(at, column)| {
        let behind = query[at + column.len()..].trim_start_matches('"');
        [" =", " IN"].iter().any(|verb| behind.starts_with(verb))
    });
    compared || query.contains("= \"tenant_id\"")
}

fn tables_read(query: &str) -> impl Iterator<Item = &'static str> {
    distributed().filter(move |name| {
        ["FROM", "JOIN"].iter().any(|verb| {
            query.contains(&format!("{verb} \"{name}\"")) || query.contains(&format!("{verb} {name} "))
        })
    })
}

#[test]
fn a_write_without_a_tenant_condition_is_found() {
    for (sql, table) in [
        ("DELETE FROM \"stock\" WHERE ctid = ANY (ARRAY['(0,1)']::tid[])", Some("stock")),
        ("DELETE FROM \"stock\" WHERE rowid IN (1, 2)", Some("stock")),
        ("UPDATE \"stock\" SET \"tenant_id\" = 1 WHERE \"id\" = 2", Some("stock")),
        ("DELETE FROM stock", Some("stock")),
        ("DELETE FROM \"stock\" WHERE \"tenant_id\" = 1 AND \"id\" IN (1, 2)", None),
        ("DELETE FROM \"session\" WHERE \"id\" = 1", None),
        ("SELECT \"id\" FROM \"stock\"", None),
    ] {
        assert_eq!(writes_without_tenant(sql), table, "{sql}");
    }
}

#[test]
fn a_subquery_without_a_tenant_condition_is_found() {
    let parts = "SELECT \"warehouse_id\" FROM \"warehouse_cut_off\" WHERE \"day\" = '(1'";
    for (sql, tables) in [
        ("SELECT \"id\" FROM \"stock\" WHERE \"stock\".\"tenant_id\" = 1".to_owned(), &[][..]),
        ("SELECT \"tenant_id\" FROM \"stock\" WHERE \"id\" IN (1, 2)".to_owned(), &["stock"]),
        (
            format!("SELECT 1 FROM warehouse w WHERE w.tenant_id = $1 AND id IN ({parts})"),
            &["warehouse_cut_off"],
        ),
        (format!("SELECT 1 FROM article WHERE EXISTS ({parts} AND \"tenant_id\" IN (1))"), &[]),
        (format!("{parts} AND tenant_id = 1 UNION ALL {parts}"), &["warehouse_cut_off"]),
        ("SELECT \"id\" FROM \"article\"".to_owned(), &[]),
    ] {
        assert_eq!(reads_without_tenant(&sql), tables, "{sql}");
    }
}
