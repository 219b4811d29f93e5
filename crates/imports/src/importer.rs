//! What differs between types of imports. A type is a file beside its domain that implements [`Importer`], and a line where the
//! [`Registry`](crate::registry::Registry) is made.

pub mod stage;

use kernel::{
    Code, Database, Decimal, Error, Keyed, Language, Message, Result, Scope, Violations, Write,
    audit::Change, fold,
};
use sea_orm::{ActiveModelTrait, Condition, EntityTrait, IntoActiveModel, ModelTrait, TryIntoModel, Value};
use sheets::{
    Row, RowFault,
    header::{Heading, Headings, Title},
    number::Style,
    summing::SumColumns,
    visible,
};

use self::stage::{Planned, Staged};
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

/// A type of imports. The value is what one running import keeps: what its columns mean and what its rows refer to.
pub trait Importer: Sized + Send + Sync + 'static {
    const TYPE: ImportType;

    /// The table that is written, one record for each row.
    type Record: Keyed<
            Model: ModelTrait<Entity = Self::Record> + IntoActiveModel<Draft<Self>> + Send + Sync,
            ActiveModel: ActiveModelTrait<Entity = Self::Record>
                             + TryIntoModel<<Self::Record as EntityTrait>::Model>
                             + Send,
        >;

    /// The columns that files may have.
    const HEADINGS: &'static Headings;

    /// Those that depend on what there is.
    fn further(_: &Database) -> impl Future<Output = Result<Further>> + Send {
        std::future::ready(Ok(Further::default()))
    }

    /// What a file looks like, by one or two records that there are: imported as it is, it changes nothing. Where there are none
    /// yet, by one that it would make.
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

    /// The record that files go into; `()`: into none, their rows belong to the tenant alone.
    type Aim: Aim;

    /// Says what the rows go into, and by which import; none: a call.
    fn aim(&mut self, _: Self::Aim, _import: Option<&Import>) {}

    /// What rows want, ready to be kept aside, of a type whose files become effective as a whole ([`crate::run::staging`]).
    fn stage(
        &self,
        _: &Write,
        _: &Scope,
        _import: i64,
        _: Vec<Staged<Self>>,
    ) -> impl Future<Output = Result<Planned<Self>>> + Send {
        std::future::ready(Err(not_whole()))
    }

    /// Keys and lines of what an earlier attempt has kept aside.
    fn staged(_: &Write, _import: &Import) -> impl Future<Output = Result<Vec<(Key, u32)>>> + Send {
        std::future::ready(Err(not_whole()))
    }

    /// Makes all effective that is kept aside; or says why it cannot be any more.
    fn switch(
        &self,
        _: &Write,
        _: &Scope,
        _import: i64,
    ) -> impl Future<Output = Result<Result<(), Message>>> + Send {
        std::future::ready(Err(not_whole()))
    }

    /// Forgets what is kept aside.
    fn forget_staged(_: &Write, _import: &Import) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Err(not_whole()))
    }

    /// Which cells of a row are read as numbers.
    fn numbers(&self) -> Vec<usize> {
        Vec::new()
    }

    /// The column of which all of these are values, by what there is.
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

    /// What a row wants that waits until somebody releases it.
    type Held: Send + Sync;

    /// What of a draft can be written, and what waits because it looks like a mistake.
    fn judge(&self, _: Line<'_>, draft: Draft<Self>, _: Option<&Model<Self>>) -> Judged<Self> {
        Judged { draft, held: None }
    }

    /// Keeps what waits, all at once.
    fn hold(
        &self,
        _: &Write,
        _: &Scope,
        _: Vec<Waiting<Self::Held>>,
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// What a row says of its record that is no column of it: of parts.
    type Parts: Default + Send + Sync;

    /// Looks up the parts of records that rows name, all at once.
    fn find_parts(
        &mut self,
        _: &Write,
        _: &Scope,
        _: &[&Model<Self>],
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// What a row says of the parts, and whether they are so already.
    fn parts(&self, _: Line<'_>, _: Option<&Model<Self>>) -> Result<(Self::Parts, bool), Vec<RowFault>> {
        Ok((Self::Parts::default(), true))
    }

    /// Writes the parts of records that have just been written, all at once; and what follows from those.
    fn write_parts(
        &self,
        _: &Write,
        _: &Scope,
        _: Vec<(&Model<Self>, Self::Parts)>,
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// What has become of the parts of a record, for the history of its row.
    fn changes_of_parts(&self, _: &Self::Parts, _: Option<&Model<Self>>) -> Vec<Change> {
        Vec::new()
    }

    /// What the cell of this column names that nothing matches, where it is one of another system's numbers.
    fn unmatched(&self, _: Line<'_>, _column: usize) -> Option<Unmatched> {
        None
    }

    /// The column that is to blame where a row names a record that an earlier row has named.
    fn key_column(&self) -> Option<usize>;

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
    pub held: Option<(I::Held, Vec<RowFault>)>,
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
