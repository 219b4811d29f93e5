//! Writes of many rows in one statement, on both databases; one statement per row is an order of magnitude
//! slower. Used by [`crate::scope::many`], which has the table definitions, and by the history.

use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, Value, sea_query::ArrayType};
use values::{
    clock::Instant,
    error::{Error, Result},
};

/// Rows to be written, column by column.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    columns: Vec<Column>,
    rows: usize,
}

#[derive(Debug)]
struct Column {
    name: &'static str,
    kind: Kind,
    data: Data,
}

#[derive(Debug)]
enum Data {
    /// One value for each row.
    Each(Vec<Value>),
    /// The same value in all rows.
    Same(Value),
}

/// Type of a column, where a statement must name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Boolean,
    Integer,
    BigInteger,
    Text,
    Json,
    Time,
}

/// Maximum number of parameters of a statement; SQLite takes 32,766.
const PARAMETERS: usize = 32_000;

impl Rows {
    /// Adds a column with a value for each row. All columns must have the same number of values.
    pub(crate) fn with(&mut self, name: &'static str, values: Vec<Value>) -> Result<()> {
        let kind = Kind::from_values(name, &values)?;
        self.rows = values.len();
        let data = match values.split_first() {
            Some((first, others)) if others.iter().all(|other| other == first) => Data::Same(first.clone()),
            _ => Data::Each(values),
        };
        self.columns.push(Column { name, kind, data });
        Ok(())
    }

    /// Inserts the rows and returns those of `rest`: the end of the statement, such as `ON CONFLICT` and
    /// `RETURNING`.
    pub(crate) async fn insert(
        self,
        tx: &impl ConnectionTrait,
        table: &str,
        rest: &str,
    ) -> Result<Vec<QueryResult>> {
        let names: Vec<_> = self.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        let selected: Vec<_> = (0..names.len()).map(|number| format!("c{number}")).collect();
        let (names, selected) = (names.join(", "), selected.join(", "));
        // Without WHERE, SQLite parses ON CONFLICT as the ON of a join.
        let statement = |source: &str| {
            format!("INSERT INTO \"{table}\" ({names}) SELECT {selected} FROM {source} WHERE true {rest}")
        };
        self.send(tx, statement).await
    }

    /// Updates existing rows, matched by the first column. `besides` is SQL that sets further columns, and
    /// `rest` is the end of the statement.
    pub(crate) async fn update(
        self,
        tx: &impl ConnectionTrait,
        table: &str,
        besides: &str,
        rest: &str,
    ) -> Result<Vec<QueryResult>> {
        let columns = self.columns.iter().map(|column| column.name).enumerate().skip(1);
        let set: Vec<_> = columns.map(|(number, name)| format!("\"{name}\" = s.c{number}")).collect();
        let id = self.columns.first().map(|column| column.name).unwrap_or_default();
        let set = set.join(", ");
        let statement = |source: &str| {
            format!(
                "UPDATE \"{table}\" SET {set}{besides} FROM {source} WHERE \"{table}\".\"{id}\" = s.c0 {rest}"
            )
        };
        self.send(tx, statement).await
    }

    async fn send(
        mut self,
        tx: &impl ConnectionTrait,
        statement: impl Fn(&str) -> String,
    ) -> Result<Vec<QueryResult>> {
        let backend = tx.get_database_backend();
        let at_once = match backend {
            DbBackend::Postgres => usize::MAX,
            _ => PARAMETERS / self.columns.len().max(1),
        };
        let mut written = Vec::new();
        while self.rows > 0 {
            let part = self.split_off(self.rows.min(at_once));
            let (source, values) = match backend {
                DbBackend::Postgres => part.arrays(),
                _ => part.tuples(),
            };
            let statement = Statement::from_sql_and_values(backend, statement(&source), values);
            written.extend(tx.query_all_raw(statement).await?);
        }
        Ok(written)
    }

    /// Removes and returns the first rows.
    fn split_off(&mut self, rows: usize) -> Self {
        self.rows -= rows;
        let columns = self.columns.iter_mut().map(|Column { name, kind, data }| {
            let data = match data {
                Data::Each(values) => Data::Each(values.drain(..rows).collect()),
                Data::Same(value) => Data::Same(value.clone()),
            };
            Column { name, kind: *kind, data }
        });
        Self { columns: columns.collect(), rows }
    }

    /// Table expression `s` with the columns `c0`, `c1` and so on for PostgreSQL, and its parameters.
    fn arrays(self) -> (String, Vec<Value>) {
        let (mut arrays, mut names, mut selected, mut values) = (vec![], vec![], vec![], vec![]);
        let mut array = |name: String, sql: &str, array: Value| {
            values.push(array);
            arrays.push(format!("${}::{sql}[]", values.len()));
            names.push(name);
        };
        if self.columns.iter().all(|column| matches!(column.data, Data::Same(_))) {
            array("one".to_owned(), "boolean", vec![true; self.rows].into());
        }
        let mut constants = Vec::new();
        for (number, Column { kind, data, .. }) in self.columns.into_iter().enumerate() {
            let sql = kind.sql();
            match data {
                Data::Same(value) => constants.push((number, sql, value)),
                Data::Each(cells) => {
                    // These arrays cannot contain NULL, so a second array marks the NULLs.
                    let nulls: Vec<bool> = cells.iter().map(|value| !value.is_some()).collect();
                    let is_json = kind == Kind::Json;
                    let value = if is_json { format!("a{number}::jsonb") } else { format!("a{number}") };
                    array(format!("a{number}"), if is_json { "text" } else { sql }, kind.array(cells));
                    if nulls.contains(&true) {
                        array(format!("n{number}"), "boolean", nulls.into());
                        selected.push(format!("CASE WHEN n{number} THEN NULL ELSE {value} END AS c{number}"));
                    } else {
                        selected.push(format!("{value} AS c{number}"));
                    }
                }
            }
        }
        for (number, sql, value) in constants {
            values.push(value);
            selected.push(format!("${}::{sql} AS c{number}", values.len()));
        }
        let (arrays, names, selected) = (arrays.join(", "), names.join(", "), selected.join(", "));
        (format!("(SELECT {selected} FROM unnest({arrays}) AS u({names})) AS s"), values)
    }

    /// Table expression of the same form for SQLite, and its parameters.
    fn tuples(self) -> (String, Vec<Value>) {
        let rows = self.rows;
        let (mut each, mut selected, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (number, Column { data, .. }) in self.columns.into_iter().enumerate() {
            match data {
                Data::Same(value) => {
                    values.push(value);
                    selected.push(format!("? AS c{number}"));
                }
                Data::Each(cells) => each.push((number, cells.into_iter())),
            }
        }
        let tuple = if each.is_empty() {
            "(0)".to_owned()
        } else {
            selected.extend(
                (1..).zip(&each).map(|(position, (number, _))| format!("column{position} AS c{number}")),
            );
            format!("({})", vec!["?"; each.len()].join(","))
        };
        for _ in 0..rows {
            values.extend(each.iter_mut().filter_map(|(_, values)| values.next()));
        }
        let tuples = vec![tuple.as_str(); rows].join(",");
        (format!("(SELECT {} FROM (VALUES {tuples})) AS s", selected.join(", ")), values)
    }
}

impl Kind {
    fn from_values(name: &str, values: &[Value]) -> Result<Self> {
        let kind = |value: &Value| match value {
            Value::Bool(_) => Some(Self::Boolean),
            Value::Int(_) => Some(Self::Integer),
            Value::BigInt(_) => Some(Self::BigInteger),
            Value::String(_) => Some(Self::Text),
            Value::Json(_) => Some(Self::Json),
            Value::ChronoDateTimeUtc(_) => Some(Self::Time),
            _ => None,
        };
        let mut kinds = values.iter().map(kind);
        match kinds.next().flatten() {
            Some(first) if kinds.all(|kind| kind == Some(first)) => Ok(first),
            None if values.is_empty() => Ok(Self::Text),
            _ => Err(Error::internal(format!("a mass write cannot take the values of the column {name}"))),
        }
    }

    fn sql(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::BigInteger => "bigint",
            Self::Text => "text",
            Self::Json => "jsonb",
            Self::Time => "timestamptz",
        }
    }

    /// Values as a PostgreSQL array: JSON as text, and a dummy value in place of NULL.
    fn array(self, values: Vec<Value>) -> Value {
        let (array, nothing) = match self {
            Self::Boolean => (ArrayType::Bool, Value::from(false)),
            Self::Integer => (ArrayType::Int, Value::from(0_i32)),
            Self::BigInteger => (ArrayType::BigInt, Value::from(0_i64)),
            Self::Text => (ArrayType::String, Value::from("")),
            Self::Json => (ArrayType::String, Value::from("null")),
            Self::Time => (ArrayType::ChronoDateTimeUtc, Value::from(Instant::UNIX_EPOCH)),
        };
        let value = |value: Value| match value {
            Value::Json(Some(document)) => Value::from(document.to_string()),
            value if value.is_some() => value,
            _ => nothing.clone(),
        };
        Value::Array(array, Some(Box::new(values.into_iter().map(value).collect())))
    }
}
