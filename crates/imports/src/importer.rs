//! What differs between types of imports. A type is a file beside its domain that implements [`Importer`], and a line where the
//! [`Registry`](crate::registry::Registry) is made.

pub mod parts;
pub mod stage;

use kernel::{
    Code, Database, Decimal, Error, Keyed, Language, Message, Result, Scope, Violations, Write, fold,
};
use sea_orm::{ActiveModelTrait, Condition, EntityTrait, IntoActiveModel, ModelTrait, TryIntoModel, Value};
use sheets::{
    Row, RowFault,
    header::{Heading, Headings, Title},
    number::Style,
    summing::SumColumns,
    visible,
};

use self::{parts::RowParts, stage::Staging};
use crate::{
    cells::Line,
    columns::{Further, Template},
    import::{AIM_FIELD, Import},
    import_type::ImportType,
    unresolved::Unmatched,
};

/// A row of the table that an import writes.
pub type Model<I> = <<I as Importer>::Record as EntityTrait>::Model;
/// The same as it is to be written.
pub type Draft<I> = <<I as Importer>::Record as EntityTrait>::ActiveModel;

/// The columns of a type's files. The value is what one running import keeps: what its columns mean and what its rows refer to.
pub trait FileColumns: Sized + Send + Sync + 'static {
    const TYPE: ImportType;

    /// The columns that files may have.
    const HEADINGS: &'static Headings;

    /// Further columns that depend on records, such as one for each attribute.
    fn further(_: &Database) -> impl Future<Output = Result<Further>> + Send {
        std::future::ready(Ok(Further::default()))
    }

    /// A file of one or two existing records, which changes nothing if imported; without records, one with an example.
    fn template(
        _: &Database,
        _: &Scope,
        language: Language,
    ) -> impl Future<Output = Result<Template>> + Send {
        std::future::ready(Ok(Template::of(Self::HEADINGS.known, language, Vec::new())))
    }

    /// Reads the header; says everything that is wrong with it at once.
    fn prepare(
        db: &Database,
        scope: &Scope,
        header: &[Title],
        language: Language,
    ) -> impl Future<Output = Result<Result<Self, Vec<Message>>>> + Send;

    /// The cells of a row that are read as numbers.
    fn numbers(&self) -> Vec<usize> {
        Vec::new()
    }

    /// The column that has all of these values among its records.
    fn field_of_values(
        _: &Database,
        _: &Scope,
        _values: &[String],
    ) -> impl Future<Output = Result<Option<&'static Heading>>> + Send {
        std::future::ready(Ok(None))
    }

    /// The columns by which several rows of one record are added up.
    fn sum_columns(&self) -> Option<SumColumns> {
        None
    }

    /// The column that is to blame where a row names a record that an earlier row has named.
    fn key_column(&self) -> Option<usize>;
}

/// A type of imports: the records that its rows become.
pub trait Importer: FileColumns {
    /// The table that is written, one record for each row.
    type Record: Keyed<
            Model: ModelTrait<Entity = Self::Record> + IntoActiveModel<Draft<Self>> + Send + Sync,
            ActiveModel: ActiveModelTrait<Entity = Self::Record>
                             + TryIntoModel<<Self::Record as EntityTrait>::Model>
                             + Send,
        >;

    /// Record that files go into; `()` for types whose rows belong to the tenant alone.
    type Aim: Aim;

    /// Staging of files that take effect as a whole; `()` for types that are written batch by batch.
    type Staging: Staging<Self>;

    /// Says what the rows go into, and by which import; none: a call.
    fn aim(&mut self, _: Self::Aim, _import: Option<&Import>) {}

    /// Looks up what these rows refer to, all at once, and holds it until the transaction ends. What was kept of an
    /// earlier batch may have changed since.
    fn resolve(
        &mut self,
        tx: &Write,
        scope: &Scope,
        lines: &[Line<'_>],
    ) -> impl Future<Output = Result<()>> + Send;

    /// What finds the record of a row.
    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>>;

    /// The record that a row makes of the existing one, or of none, when it keeps all rules. It sets the same columns
    /// whatever the row says, those of the key among them.
    fn draft(&self, line: Line<'_>, existing: Option<&Model<Self>>) -> Result<Draft<Self>, Vec<RowFault>>;

    /// What a row is called that is as it says without a record of this table.
    fn settled(&self, _: Line<'_>, _existing: Option<&Model<Self>>) -> Option<String> {
        None
    }

    /// What there is to say of a row that was accepted.
    fn warnings(&self, _: Line<'_>) -> Vec<RowFault> {
        Vec::new()
    }

    /// The largest change of a guarded value of the record, in percent, up or down.
    fn change_percent(&self, _: Line<'_>, _draft: &Draft<Self>, _existing: &Model<Self>) -> Option<Decimal> {
        None
    }

    /// Whether rows name records that go.
    const REMOVES: bool = false;

    /// Whether the record goes that a row names.
    fn goes(&self, _draft: &Draft<Self>) -> bool {
        Self::REMOVES
    }

    /// The records of the tenant, or of the aim, that a file which replaces all speaks of; none: no file replaces all.
    fn replaced(_: Self::Aim) -> Option<Condition> {
        None
    }

    /// The column that says where a record is: a file replaces those in the places that it names, unless all are chosen.
    fn replaced_within() -> Option<<Self::Record as EntityTrait>::Column> {
        None
    }

    /// What follows from records having been made, and from others having gone.
    fn moved(
        _: &Write,
        _: &Scope,
        _come: &[&Model<Self>],
        _gone: &[&Model<Self>],
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// What is left of a record that such a file does not name; none: it goes.
    fn remainder(_: &Model<Self>) -> Option<Draft<Self>> {
        None
    }

    /// What follows for records of which only a remainder is left.
    fn removed(_: &Write, _: &Scope, _: &[i64]) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Values of a row that wait for a release; `()` without any.
    type UnderReview: Send + Sync;

    /// What of a draft can be written, and what waits because it looks like a mistake.
    fn judge(&self, _: Line<'_>, draft: Draft<Self>, _: Option<&Model<Self>>) -> Judged<Self> {
        Judged { draft, held: None }
    }

    /// Keeps what waits, all at once.
    fn hold(
        &self,
        _: &Write,
        _: &Scope,
        _: Vec<Waiting<Self::UnderReview>>,
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Parts of a record that a row describes; `()` without any.
    type Parts: RowParts<Self>;

    /// What the cell of this column names that nothing matches, where it is one of another system's numbers.
    fn unmatched(&self, _: Line<'_>, _column: usize) -> Option<Unmatched> {
        None
    }

    /// Whether a record already is as a row says: where all columns are that the draft sets.
    fn is_same(draft: &Draft<Self>, existing: &Model<Self>) -> bool {
        use sea_orm::{ActiveValue, Iterable};
        type Column<I> = <<I as Importer>::Record as EntityTrait>::Column;
        Column::<Self>::iter().all(|column| match draft.get(column) {
            ActiveValue::Set(value) => value == existing.get(column),
            _ => true,
        })
    }
}

/// The record that files of a type go into, besides their tenant. Uploads name it by its id, imports store that.
pub trait Aim: Copy + Send + Sync + 'static {
    /// Why an import cannot go on whose aim is gone.
    const GONE: Option<Code> = None;

    /// The scope in which rows are written into the aim.
    ///
    /// # Errors
    /// At the field that names it, if the type has none, needs one, or the caller must not write it.
    fn writer(db: &Database, scope: &Scope, id: Option<i64>) -> impl Future<Output = Result<Scope>> + Send;

    /// The aim of this id, which [`Aim::writer`] has accepted.
    fn from_id(id: Option<i64>) -> Self;
}

impl Aim for () {
    async fn writer(_: &Database, scope: &Scope, id: Option<i64>) -> Result<Scope> {
        match id {
            None => Ok(*scope),
            Some(_) => Err(Violations::of(AIM_FIELD, Code::UnknownField)),
        }
    }

    fn from_id(_: Option<i64>) -> Self {}
}

/// What is asked of a type alone whose files become effective as a whole.
pub(crate) fn not_whole() -> Error {
    Error::internal("a file of this type does not become effective as a whole")
}

/// A draft as far as it can be written.
pub struct Judged<I: Importer> {
    pub draft: Draft<I>,
    /// What waits, and why.
    pub held: Option<(I::UnderReview, Vec<RowFault>)>,
}

/// What waits for a release.
#[derive(Debug)]
pub struct Waiting<H> {
    pub record: i64,
    /// What the record is called.
    pub name: String,
    /// `None` of a call.
    pub import: Option<i64>,
    pub line: u32,
    pub held: H,
}

/// What finds a record: the values of its key's columns, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key(pub Vec<KeyPart>);

/// The value of one column of a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyPart {
    /// Folded.
    Text(String),
    Id(i64),
}

/// The keys that may find a record. The first of which there is a record counts, or else the last.
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
    /// The key of a row whose columns are read by `get`.
    pub(crate) fn of<E: Keyed>(get: impl Fn(E::Column) -> Option<Value>) -> Self {
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
    /// The record of exactly this key.
    pub fn exactly(key: impl Into<Key>) -> Self {
        Self(vec![key.into()])
    }

    /// The record that has this name, or else the one whose name looks the same.
    pub fn named(name: &str) -> Self {
        let keys = [Some(fold(name)), matches_visible(name).map(|seen| fold(&seen))];
        Self(keys.into_iter().flatten().map(Key::from).collect())
    }
}

fn matches_visible(name: &str) -> Option<String> {
    let seen = visible(name);
    (seen != name).then(|| seen.into_owned())
}

/// Rows as a type of imports reads them.
pub(crate) fn lines(rows: &[Row], style: Style) -> Vec<Line<'_>> {
    rows.iter().map(|row| Line { row, style }).collect()
}
