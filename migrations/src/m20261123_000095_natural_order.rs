//! Natural order of numbers, and of names that hold sizes: `RD-20` before `RD-100`. Beside the folded text stands the key that
//! it is sorted by, and takes its place in the indexes of lists.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, DbBackend, Statement, Value},
};

use crate::column::{dropped, folded};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

struct Table {
    name: &'static str,
    /// Each text `x` has a folded copy `x_fold` and gets a key `x_sort`.
    texts: &'static [&'static str],
    /// Indexes that lists were sorted by: names and columns.
    before: &'static [(&'static str, &'static str)],
    /// Those that lists are sorted by now. Texts that are looked for along the order are found in the index alone; the folded
    /// name has one for what begins with a text.
    after: &'static [(&'static str, &'static str)],
}

const TABLES: [Table; 8] = [
    Table {
        name: "article",
        texts: &["article_number", "article_name"],
        before: &[
            (
                "article_article_number_fold_id_article_name_fold_weight_per_base_unit_index",
                "article_number_fold, id, article_name_fold, weight_per_base_unit",
            ),
            (
                "article_article_name_fold_id_article_number_fold_weight_per_base_unit_index",
                "article_name_fold, id, article_number_fold, weight_per_base_unit",
            ),
            (
                "article_article_type_id_article_number_fold_id_index",
                "article_type_id, article_number_fold, id",
            ),
            ("article_article_type_id_article_name_fold_id_index", "article_type_id, article_name_fold, id"),
            ("article_material_id_article_number_fold_id_index", "material_id, article_number_fold, id"),
            (
                "article_article_type_id_material_id_article_number_fold_id_index",
                "article_type_id, material_id, article_number_fold, id",
            ),
        ],
        after: &[
            (
                "article_number_sort_index",
                "article_number_sort, id, article_number_fold, article_name_fold, weight_per_base_unit",
            ),
            (
                "article_name_sort_index",
                "article_name_sort, id, article_name_fold, article_number_fold, weight_per_base_unit",
            ),
            ("article_name_fold_index", "article_name_fold, id"),
            ("article_of_type_number_sort_index", "article_type_id, article_number_sort, id"),
            ("article_of_type_name_sort_index", "article_type_id, article_name_sort, id"),
            ("article_of_material_number_sort_index", "material_id, article_number_sort, id"),
            (
                "article_of_type_and_material_number_sort_index",
                "article_type_id, material_id, article_number_sort, id",
            ),
        ],
    },
    Table {
        name: "article_type",
        texts: &["name"],
        before: &[
            ("article_type_article_type_group_id_name_fold_id_index", "article_type_group_id, name_fold, id"),
            ("article_type_trade_dimension_id_name_fold_id_index", "trade_dimension_id, name_fold, id"),
        ],
        after: &[
            ("article_type_name_sort_index", "name_sort, id"),
            ("article_type_group_name_sort_index", "article_type_group_id, name_sort, id"),
            ("article_type_trade_dimension_name_sort_index", "trade_dimension_id, name_sort, id"),
        ],
    },
    Table {
        name: "category",
        texts: &["name", "display_name"],
        before: &[
            ("category_name_fold_id_index", "name_fold, id"),
            ("category_display_name_fold_id_index", "display_name_fold, id"),
            ("category_parent_id_name_fold_id_index", "parent_id, name_fold, id"),
            ("category_article_type_id_name_fold_id_index", "article_type_id, name_fold, id"),
        ],
        after: &[
            ("category_name_sort_index", "name_sort, id"),
            ("category_display_name_sort_index", "display_name_sort, id"),
            ("category_parent_name_sort_index", "parent_id, name_sort, id"),
            ("category_article_type_name_sort_index", "article_type_id, name_sort, id"),
        ],
    },
    Table {
        name: "material",
        texts: &["name", "display_name", "article_number_name", "material_number"],
        before: &[
            ("material_display_name_fold_id_index", "display_name_fold, id"),
            ("material_article_number_name_fold_id_index", "article_number_name_fold, id"),
            ("material_material_number_fold_id_index", "material_number_fold, id"),
        ],
        after: &[
            ("material_name_sort_index", "name_sort, id"),
            ("material_display_name_sort_index", "display_name_sort, id"),
            ("material_article_number_name_sort_index", "article_number_name_sort, id"),
            ("material_number_sort_index", "material_number_sort, id"),
        ],
    },
    Table {
        name: "trade_dimension",
        texts: &["name"],
        before: &[],
        after: &[("trade_dimension_name_sort_index", "name_sort, id")],
    },
    Table {
        name: "tenant",
        texts: &["company", "short_code"],
        before: &[("tenant_company_fold_id_index", "company_fold, id")],
        after: &[
            ("tenant_company_sort_index", "company_sort, id"),
            ("tenant_short_code_sort_index", "short_code_sort, id"),
        ],
    },
    Table {
        name: "warehouse",
        texts: &["name", "short_code"],
        before: &[],
        after: &[
            ("warehouse_name_sort_index", "tenant_id, name_sort, id"),
            ("warehouse_short_code_sort_index", "tenant_id, short_code_sort, id"),
        ],
    },
    Table {
        name: "matching",
        texts: &["external_article_number", "external_warehouse_identifier"],
        before: &[],
        after: &[
            ("matching_external_article_number_sort_index", "tenant_id, external_article_number_sort, id"),
            (
                "matching_external_warehouse_identifier_sort_index",
                "tenant_id, external_warehouse_identifier_sort, id",
            ),
        ],
    },
];

/// Rows that get their keys in one statement.
const AT_ONCE: i64 = 2_000;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in &TABLES {
            for (index, _) in table.before {
                manager.drop_index(dropped(table.name, *index)).await?;
            }
            for text in table.texts {
                // there are rows already
                let column = folded(manager, key_of(text)).default("").take();
                manager.alter_table(altered(table.name).add_column(column).take()).await?;
            }
            table.fill(manager.get_connection()).await?;
            if manager.get_database_backend() == DbBackend::Postgres {
                for text in table.texts {
                    let sql =
                        format!("ALTER TABLE {} ALTER COLUMN {} DROP DEFAULT", table.name, key_of(text));
                    manager.get_connection().execute_unprepared(&sql).await?;
                }
            }
            create_indexes(manager, table.name, table.after).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in &TABLES {
            for (index, _) in table.after {
                manager.drop_index(dropped(table.name, *index)).await?;
            }
            for text in table.texts {
                manager.alter_table(altered(table.name).drop_column(key_of(text)).take()).await?;
            }
            create_indexes(manager, table.name, table.before).await?;
        }
        Ok(())
    }
}

async fn create_indexes(
    manager: &SchemaManager<'_>,
    table: &str,
    indexes: &[(&str, &str)],
) -> Result<(), DbErr> {
    for (name, columns) in indexes {
        let sql = format!("CREATE INDEX {name} ON {table} ({columns})");
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}

fn altered(table: &'static str) -> TableAlterStatement {
    sea_orm_migration::prelude::Table::alter().table(table).take()
}

impl Table {
    /// Makes the keys of the rows that are there.
    async fn fill(&self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        let Self { name, texts, .. } = self;
        let backend = db.get_database_backend();
        let folded: Vec<_> = texts.iter().map(|text| format!("{text}_fold")).collect();
        let set = (2..).zip(*texts).map(|(number, text)| format!("{} = s.column{number}", key_of(text)));
        let set = set.collect::<Vec<_>>().join(", ");
        let mut after = i64::MIN;
        loop {
            let next = format!(
                "SELECT id, {} FROM {name} WHERE id > {after} ORDER BY id LIMIT {AT_ONCE}",
                folded.join(", ")
            );
            let rows = db.query_all_raw(Statement::from_string(backend, next)).await?;
            let mut values: Vec<Value> = Vec::new();
            for row in &rows {
                after = row.try_get("", "id")?;
                values.push(after.into());
                for column in &folded {
                    values.push(sort_key(&row.try_get::<String>("", column)?).into());
                }
            }
            if rows.is_empty() {
                return Ok(());
            }
            let width = texts.len() + 1;
            let tuple = |row: usize| {
                let text = |number: usize| format!("CAST(${} AS text)", row * width + number + 1);
                let texts: Vec<_> = (1..width).map(text).collect();
                format!("(CAST(${} AS bigint), {})", row * width + 1, texts.join(", "))
            };
            let tuples: Vec<_> = (0..rows.len()).map(tuple).collect();
            let update = format!(
                "UPDATE {name} SET {set} FROM (VALUES {}) AS s WHERE {name}.id = s.column1",
                tuples.join(", ")
            );
            db.execute_raw(Statement::from_sql_and_values(backend, update, values)).await?;
        }
    }
}

/// `name_sort` of `name`.
fn key_of(text: &'static str) -> String {
    format!("{text}_sort")
}

/// Behind a whole number, it says that a fraction follows: the greatest character that is one, as tools of the databases drop
/// those beyond.
const FRACTION: char = '\u{10fffd}';
/// Before how many zeros the numbers led with: less than whatever else may stand there.
const ZEROS: char = '\u{1}';
/// In bytes. PostgreSQL's indexes hold rows of 2,704, and two folded texts of 255 characters stand beside the key.
const LONGEST: usize = 600;

/// As the program sorts (`kernel::natural`) when this is released.
///
/// A whole number is written behind the number of its digits. A single point or comma between digits begins a fraction
/// (`2,5` before `10`); of several, each separates whole numbers (`1.2.10`). Zeros in front decide only where all else is equal.
fn sort_key(folded: &str) -> String {
    let mut key = String::with_capacity(folded.len() + 8);
    let mut zeros = String::new();
    let mut rest = folded;
    while let Some(begin) = rest.find(is_digit) {
        let (before, from) = rest.split_at(begin);
        let (number, behind) = from.split_at(number_length(from));
        key.push_str(before);
        rest = behind;
        let mut parts = number.split(is_mark);
        let (whole, fraction) = (parts.next().unwrap_or_default(), parts.next());
        match (fraction, parts.next()) {
            (Some(fraction), None) => {
                push_whole(whole, &mut key, &mut zeros);
                key.push(FRACTION);
                key.push_str(fraction);
                // ends the digits, as it is less than any
                key.extend(number.chars().find(|character| is_mark(*character)));
            }
            _ => {
                for piece in number.split_inclusive(is_mark) {
                    let whole = piece.trim_end_matches(is_mark);
                    push_whole(whole, &mut key, &mut zeros);
                    key.extend(piece.chars().skip(whole.len()));
                }
            }
        }
    }
    key.push_str(rest);
    if zeros.contains(|count| count != '0') {
        key.push(ZEROS);
        key.push_str(&zeros);
    }
    key.truncate(key.floor_char_boundary(LONGEST));
    key
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

fn is_mark(character: char) -> bool {
    matches!(character, '.' | ',')
}

/// How far digits go, with single marks between them.
fn number_length(text: &str) -> usize {
    let mut length = 0;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let joins = is_mark(character) && characters.peek().copied().is_some_and(is_digit);
        if !is_digit(character) && !joins {
            break;
        }
        length += character.len_utf8();
    }
    length
}

fn push_whole(digits: &str, key: &mut String, zeros: &mut String) {
    let number = digits.trim_start_matches('0');
    push_count(number.len(), key);
    key.push_str(number);
    push_count(digits.len() - number.len().max(1), zeros);
}

/// A count as digits that are sorted as counts are, however large: 8 is `8`, 9 is `90`, 18 is `990`.
fn push_count(count: usize, key: &mut String) {
    key.extend(std::iter::repeat_n('9', count / 9));
    key.push_str(&(count % 9).to_string());
}
