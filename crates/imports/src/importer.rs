//! Type-specific part of imports. A type is a file next to its domain that implements [`Importer`], and a
//! line in the construction of the [`Registry`](crate::registry::Registry).

pub mod parts;
pub mod stage;

use sea_orm::{ActiveModelTrait, Condition, EntityTrait, IntoActiveModel, ModelTrait, TryIntoModel, Value};
use sheets::{
    Row, RowFault,
    header::{Heading, Headings, Title},
    number::Style,
    summing::SumColumns,
    visible,
};
use store::{Database, Keyed, Scope, Write};
use values::{Code, Decimal, Error, Language, Message, Result, Violations, fold};

use self::{parts::RowParts, stage::Staging};
use crate::{
    cells::Line,
    codes,
    columns::{Further, Template},
    import::{AIM_FIELD, Import},
    import_type::ImportType,
    unresolved::UnmatchedNumber,
};

/// Row of the table that an import writes.
pub type Model<I> = <<I as Importer>::Record as EntityTrait>::Model;
/// Row of that table as it is to be written.
pub type Draft<I> = <<I as Importer>::Record as EntityTrait>::ActiveModel;

/// Columns of a type's files. The value belongs to one running import: the meaning of its columns, and the
/// records to which its rows refer.
pub trait FileColumns: Sized + Send + Sync + 'static {
    const TYPE: ImportType;

    /// Columns that files may have.
    const HEADINGS: &'static Headings;

    /// Further columns that depend on records, such as one for each attribute.
    fn further(_: &Database) -> impl Future<Output = Result<Further>> + Send {
        std::future::ready(Ok(Further::default()))
    }

    /// Sample file of one or two existing records, which changes nothing if it is imported; without records,
    /// one with an example.
    fn template(
        _: &Database,
        _: &Scope,
        language: Language,
    ) -> impl Future<Output = Result<Template>> + Send {
        std::future::ready(Ok(Template::new(Self::HEADINGS.all, language, Vec::new())))
    }

    /// Reads the header; returns all its problems together.
    fn prepare(
        db: &Database,
        scope: &Scope,
        header: &[Title],
        language: Language,
    ) -> impl Future<Output = Result<Result<Self, Vec<Message>>>> + Send;

    /// Indexes of the cells that are read as numbers.
    fn numbers(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Column whose records contain all of these values.
    fn field_of_values(
        _: &Database,
        _: &Scope,
        _values: &[String],
    ) -> impl Future<Output = Result<Option<&'static Heading>>> + Send {
        std::future::ready(Ok(None))
    }

    /// Columns for summing several rows of one record.
    fn sum_columns(&self) -> Option<SumColumns> {
        None
    }

    /// Column for the fault of a row that names the same record as an earlier row.
    fn key_column(&self) -> Option<usize>;
}

/// Type of import: the records that its rows become.
pub trait Importer: FileColumns {
    /// Table that is written, one record for each row.
    type Record: Keyed<
            Model: ModelTrait<Entity = Self::Record> + IntoActiveModel<Draft<Self>> + Send + Sync,
            ActiveModel: ActiveModelTrait<Entity = Self::Record>
                             + TryIntoModel<<Self::Record as EntityTrait>::Model>
                             + Send,
        >;

    /// Target record of files; `()` for types whose rows only belong to the tenant.
    type Aim: Aim;

    /// Staging of files that take effect as a whole; `()` for types that are written batch by batch.
    type Staging: Staging<Self>;

    /// Sets the target of the rows and their import; `None` for a call.
    fn aim(&mut self, _: Self::Aim, _import: Option<&Import>) {}

    /// Looks up the records to which these rows refer, and locks them until the transaction ends. Results for
    /// an earlier batch may be outdated.
    fn resolve(
        &mut self,
        tx: &Write,
        scope: &Scope,
        lines: &[Line<'_>],
    ) -> impl Future<Output = Result<()>> + Send;

    /// Keys that may find the record of a row.
    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>>;

    /// Draft of the record that a row requests, given the existing one, if all rules are fulfilled. It always
    /// sets the same columns, including those of the key.
    fn draft(&self, line: Line<'_>, existing: Option<&Model<Self>>) -> Result<Draft<Self>, Vec<RowFault>>;

    /// Name for a row whose request is fulfilled without a record of this table.
    fn settled(&self, _: Line<'_>, _existing: Option<&Model<Self>>) -> Option<String> {
        None
    }

    /// Warnings about an accepted row.
    fn warnings(&self, _: Line<'_>) -> Vec<RowFault> {
        Vec::new()
    }

    /// Largest change of the record's values that are checked for plausibility, in percent, up or down.
    fn change_percent(&self, _: Line<'_>, _draft: &Draft<Self>, _existing: &Model<Self>) -> Option<Decimal> {
        None
    }

    /// True if rows name records to be deleted.
    const REMOVES: bool = false;

    /// True if the record that a row names is to be deleted.
    fn is_removal(&self, _draft: &Draft<Self>) -> bool {
        Self::REMOVES
    }

    /// Records of the tenant, or of the target, that a file with the strategy `ReplaceAll` covers; `None` if
    /// the type does not support it.
    fn replaced(_: Self::Aim) -> Option<Condition> {
        None
    }

    /// Column with the place of a record: a file replaces the records in the places that it names, unless all
    /// are chosen.
    fn replaced_within() -> Option<<Self::Record as EntityTrait>::Column> {
        None
    }

    /// Runs follow-up work for records that were created or deleted.
    fn on_created_or_deleted(
        _: &Write,
        _: &Scope,
        _created: &[&Model<Self>],
        _deleted: &[&Model<Self>],
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Remainder of a record that such a file does not name; `None` if it is deleted.
    fn remainder(_: &Model<Self>) -> Option<Draft<Self>> {
        None
    }

    /// Runs follow-up work for records of which only a remainder is left.
    fn on_reduced(_: &Write, _: &Scope, _: &[i64]) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Records that a file has written these records, or found that they match.
    fn confirm(_: &Write, _: &Scope, _: &[i64]) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Values of a row under review; `()` if there are none.
    type UnderReview: Send + Sync;

    /// Splits a draft into the part that can be written and the implausible values.
    fn judge(&self, _: Line<'_>, draft: Draft<Self>, _: Option<&Model<Self>>) -> ReviewedDraft<Self> {
        ReviewedDraft { draft, under_review: None }
    }

    /// Stores the values under review.
    fn store_under_review(
        &self,
        _: &Write,
        _: &Scope,
        _: Vec<Waiting<Self::UnderReview>>,
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Parts of a record that a row describes; `()` without any.
    type Parts: RowParts<Self>;

    /// Unresolved number in the cell of this column, if it contains numbers of another system.
    fn unmatched(&self, _: Line<'_>, _column: usize) -> Option<UnmatchedNumber> {
        None
    }

    /// True if a record already has the values of all columns that the draft sets.
    fn is_same(draft: &Draft<Self>, existing: &Model<Self>) -> bool {
        use sea_orm::{ActiveValue, Iterable};
        type Column<I> = <<I as Importer>::Record as EntityTrait>::Column;
        Column::<Self>::iter().all(|column| match draft.get(column) {
            ActiveValue::Set(value) => value == existing.get(column),
            _ => true,
        })
    }
}

/// Target record of a type's files, besides their tenant. Uploads and stored imports contain its id.
pub trait Aim: Copy + Send + Sync + 'static {
    /// Error of an import whose target is gone.
    const GONE: Option<Code> = None;

    /// Scope in which rows are written into the target.
    ///
    /// # Errors
    /// A violation at the field of the target, if the type has none, needs one, or the caller may not write
    /// it.
    fn writer(db: &Database, scope: &Scope, id: Option<i64>) -> impl Future<Output = Result<Scope>> + Send;

    /// Target with this id, which [`Aim::writer`] has accepted.
    fn from_id(id: Option<i64>) -> Self;
}

impl Aim for () {
    async fn writer(_: &Database, scope: &Scope, id: Option<i64>) -> Result<Scope> {
        match id {
            None => Ok(*scope),
            Some(_) => Err(Violations::error(AIM_FIELD, codes::UNKNOWN_FIELD)),
        }
    }

    fn from_id(_: Option<i64>) -> Self {}
}

/// Error for staging methods of a type whose files do not take effect as a whole.
pub(crate) fn not_whole() -> Error {
    Error::internal("a file of this type does not become effective as a whole")
}

/// Draft without its implausible values.
pub struct ReviewedDraft<I: Importer> {
    pub draft: Draft<I>,
    /// Values under review, with the reasons.
    pub under_review: Option<(I::UnderReview, Vec<RowFault>)>,
}

/// Values under review.
#[derive(Debug)]
pub struct Waiting<H> {
    pub record: i64,
    /// Name of the record.
    pub name: String,
    /// Import; `None` for a call.
    pub import: Option<i64>,
    pub line: u32,
    pub under_review: H,
}

/// Natural key of a record: the values of the key's columns, in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key(pub Vec<KeyPart>);

/// Value of one column of a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyPart {
    /// Folded text.
    Text(String),
    Id(i64),
}

/// Keys that may find a record. The first one with a record counts, or else the last.
#[derive(Debug, Clone)]
pub struct KeyOf(pub Vec<Key>);

impl From<String> for KeyPart {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for KeyPart {
    fn from(id: i64) -> Self {
        Self::Id(id)
    }
}

impl<P: Into<KeyPart>> From<P> for Key {
    fn from(part: P) -> Self {
        Self(vec![part.into()])
    }
}

impl Key {
    /// Key of a row whose columns are read by `get`.
    pub(crate) fn from_columns<E: Keyed>(get: impl Fn(E::Column) -> Option<Value>) -> Self {
        let part = |column: &E::Column| match get(*column) {
            Some(Value::BigInt(Some(id))) => KeyPart::Id(id),
            Some(Value::String(Some(text))) => KeyPart::Text(text),
            _ => KeyPart::Text(String::new()),
        };
        Self(E::KEY.iter().map(part).collect())
    }
}

impl From<&KeyPart> for Value {
    fn from(part: &KeyPart) -> Self {
        match part {
            KeyPart::Text(text) => text.as_str().into(),
            KeyPart::Id(id) => (*id).into(),
        }
    }
}

impl KeyOf {
    /// Finds the record with exactly this key.
    pub fn exactly(key: impl Into<Key>) -> Self {
        Self(vec![key.into()])
    }

    /// Finds the record with this name, or else one whose name looks the same.
    pub fn from_name(name: &str) -> Self {
        let keys = [Some(fold(name)), matches_visible(name).map(|visible_name| fold(&visible_name))];
        Self(keys.into_iter().flatten().map(Key::from).collect())
    }
}

fn matches_visible(name: &str) -> Option<String> {
    let visible_name = visible(name);
    (visible_name != name).then(|| visible_name.into_owned())
}

/// Rows with the number style of their file.
pub(crate) fn lines(rows: &[Row], style: Style) -> Vec<Line<'_>> {
    rows.iter().map(|row| Line { row, style }).collect()
}
