//! Many rows in one statement, on both databases: a row at a time is an order of magnitude slower.

use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};

use crate::error::{Error, Result};

/// Rows to be written, column by column.
#[derive(Debug, Default)]
pub struct Table {
    columns: Vec<(&'static str, Data)>,
    constants: Vec<(&'static str, Value)>,
}

/// The values of a column.
#[derive(Debug)]
pub enum Data {
    Integers(Vec<i64>),
    OptionalIntegers(Vec<Option<i64>>),
    Texts(Vec<String>),
    Booleans(Vec<bool>),
    /// JSON documents as text.
    Json(Vec<String>),
}

/// SQLite takes 32,766 parameters.
const PARAMETERS: usize = 32_000;

impl Table {
    #[must_use]
    pub fn with(mut self, column: &'static str, data: Data) -> Self {
        self.columns.push((column, data));
        self
    }

    /// A column that is the same in all rows.
    #[must_use]
    pub fn constant(mut self, column: &'static str, value: impl Into<Value>) -> Self {
        self.constants.push((column, value.into()));
        self
    }

    /// Inserts the rows. `conflict` is the `ON CONFLICT` clause, or nothing.
    pub async fn insert_into(self, tx: &impl ConnectionTrait, table: &str, conflict: &str) -> Result<()> {
        self.insert_counted(tx, table, conflict).await.map(|_| ())
    }

    /// The same, and says how many were inserted.
    pub(crate) async fn insert_counted(
        self,
        tx: &impl ConnectionTrait,
        table: &str,
        conflict: &str,
    ) -> Result<u64> {
        let mut inserted = 0;
        let backend = tx.get_database_backend();
        for part in self.parts(backend) {
            let names: Vec<_> = part.names().collect();
            let (source, values) = part.source(backend);
            let names = names.join(", ");
            // Without WHERE, SQLite takes ON CONFLICT for the ON of a join.
            let sql =
                format!("INSERT INTO {table} ({names}) SELECT {names} FROM {source} WHERE true {conflict}");
            let statement = Statement::from_sql_and_values(backend, sql, values);
            inserted += tx.execute_raw(statement).await?.rows_affected();
        }
        Ok(inserted)
    }

    /// Sets columns of existing rows: those whose id is in the first column. `besides` sets others, as SQL.
    pub async fn update(self, tx: &impl ConnectionTrait, table: &str, besides: &[&str]) -> Result<()> {
        let backend = tx.get_database_backend();
        for part in self.parts(backend) {
            let mut names = part.names();
            let id = names.next().ok_or_else(|| Error::internal("a bulk update without id"))?;
            let set = names.map(|name| format!("{name} = s.{name}"));
            let set: Vec<_> = set.chain(besides.iter().map(ToString::to_string)).collect();
            let (source, values) = part.source(backend);
            let sql =
                format!("UPDATE {table} SET {} FROM {source} WHERE {table}.{id} = s.{id}", set.join(", "));
            tx.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
        }
        Ok(())
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().map(|(name, _)| *name).chain(self.constants.iter().map(|(name, _)| *name))
    }

    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, data)| data.len())
    }

    /// The rows in as few parts as the database takes.
    fn parts(mut self, backend: DbBackend) -> impl Iterator<Item = Self> {
        let at_once = match backend {
            DbBackend::Postgres => usize::MAX,
            _ => PARAMETERS / (self.columns.len() + self.constants.len()).max(1),
        };
        std::iter::from_fn(move || {
            let rows = self.rows();
            (rows > 0).then(|| self.split_off(rows.min(at_once)))
        })
    }

    fn split_off(&mut self, rows: usize) -> Self {
        let columns = self.columns.iter_mut().map(|(name, data)| (*name, data.split_off(rows)));
        Self { columns: columns.collect(), constants: self.constants.clone() }
    }

    /// A table expression called `s`, and its parameters.
    fn source(self, backend: DbBackend) -> (String, Vec<Value>) {
        match backend {
            DbBackend::Postgres => self.arrays(),
            _ => self.tuples(),
        }
    }

    fn arrays(self) -> (String, Vec<Value>) {
        let mut arrays = Vec::new();
        let mut columns = Vec::new();
        let mut shown = Vec::new();
        let mut values = Vec::new();
        for (number, (name, data)) in (1..).zip(self.columns) {
            arrays.push(format!("${number}::{}[]", data.array_of()));
            columns.push(format!("c{number}"));
            shown.push(data.shown(&format!("c{number}"), name));
            values.push(data.into_array());
        }
        for (number, (name, value)) in (values.len() + 1..).zip(self.constants) {
            shown.push(format!("${number} AS {name}"));
            values.push(value);
        }
        let (arrays, columns) = (arrays.join(", "), columns.join(", "));
        let source = format!("(SELECT {} FROM unnest({arrays}) AS u({columns})) AS s", shown.join(", "));
        (source, values)
    }

    fn tuples(self) -> (String, Vec<Value>) {
        let rows = self.rows();
        let (names, columns): (Vec<_>, Vec<_>) = self.columns.into_iter().unzip();
        let shown: Vec<_> =
            (1..).zip(&names).map(|(number, name)| format!("column{number} AS {name}")).collect();
        let constants: Vec<_> = self.constants.iter().map(|(name, _)| format!("? AS {name}")).collect();
        let tuple = format!("({})", vec!["?"; names.len()].join(","));
        let source = format!(
            "(SELECT {} FROM (VALUES {})) AS s",
            constants.into_iter().chain(shown).collect::<Vec<_>>().join(", "),
            vec![tuple.as_str(); rows].join(",")
        );
        let mut values: Vec<_> = self.constants.into_iter().map(|(_, value)| value).collect();
        let mut columns: Vec<_> = columns.into_iter().map(Data::into_values).collect();
        for _ in 0..rows {
            values.extend(columns.iter_mut().filter_map(Iterator::next));
        }
        (source, values)
    }
}

impl Data {
    fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::OptionalIntegers(values) => values.len(),
            Self::Texts(values) | Self::Json(values) => values.len(),
            Self::Booleans(values) => values.len(),
        }
    }

    /// Takes the first rows away.
    fn split_off(&mut self, rows: usize) -> Self {
        fn first<T>(values: &mut Vec<T>, rows: usize) -> Vec<T> {
            values.drain(..rows.min(values.len())).collect()
        }
        match self {
            Self::Integers(values) => Self::Integers(first(values, rows)),
            Self::OptionalIntegers(values) => Self::OptionalIntegers(first(values, rows)),
            Self::Texts(values) => Self::Texts(first(values, rows)),
            Self::Booleans(values) => Self::Booleans(first(values, rows)),
            Self::Json(values) => Self::Json(first(values, rows)),
        }
    }

    fn into_values(self) -> Box<dyn Iterator<Item = Value> + Send> {
        match self {
            Self::Integers(values) => Box::new(values.into_iter().map(Value::from)),
            Self::OptionalIntegers(values) => Box::new(values.into_iter().map(Value::from)),
            Self::Texts(values) | Self::Json(values) => Box::new(values.into_iter().map(Value::from)),
            Self::Booleans(values) => Box::new(values.into_iter().map(Value::from)),
        }
    }

    /// Arrays hold no NULL here, so that optional values travel as text.
    fn array_of(&self) -> &'static str {
        match self {
            Self::Integers(_) => "bigint",
            Self::OptionalIntegers(_) | Self::Texts(_) | Self::Json(_) => "text",
            Self::Booleans(_) => "boolean",
        }
    }

    fn shown(&self, column: &str, name: &str) -> String {
        match self {
            Self::OptionalIntegers(_) => format!("nullif({column}, '')::bigint AS {name}"),
            Self::Json(_) => format!("{column}::jsonb AS {name}"),
            Self::Integers(_) | Self::Texts(_) | Self::Booleans(_) => format!("{column} AS {name}"),
        }
    }

    fn into_array(self) -> Value {
        match self {
            Self::Integers(values) => values.into(),
            Self::OptionalIntegers(values) => {
                let texts =
                    values.into_iter().map(|value| value.map_or_else(String::new, |value| value.to_string()));
                texts.collect::<Vec<String>>().into()
            }
            Self::Texts(values) | Self::Json(values) => values.into(),
            Self::Booleans(values) => values.into(),
        }
    }
}
