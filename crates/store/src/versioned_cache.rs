//! Versioned cache of values that are compiled from rows.
//!
//! The version of a topic is raised in the transaction that changes its rows, and every request reads all
//! versions together with its session. Changes of this process count from the next request on, those of other
//! processes a moment later, and an unchanged topic costs nothing.

mod price_log;

use std::{
    any::{Any, TypeId},
    collections::{BTreeMap, BTreeSet, HashMap},
    future::Future,
    hash::Hash,
    num::NonZeroI64,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use hashlink::LruCache;
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, sea_query::Expr};
use values::{
    error::{Error, Result},
    id::TenantId,
};

pub use self::price_log::{PriceChanges, clean_up};

/// Group of tables whose rows are compiled into one value. The crate of the tables declares it with
/// [`cache_topics!`](crate::cache_topics!), and a migration adds its row to `kept_version`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CacheTopic {
    name: &'static str,
}

impl CacheTopic {
    #[doc(hidden)]
    pub const fn declared(name: &'static str) -> Self {
        Self { name }
    }

    /// Returns the topics of all crates of this program, by name.
    pub fn all() -> impl Iterator<Item = Self> {
        DECLARED.iter().copied()
    }

    /// Key of its row in `kept_version`.
    pub fn name(self) -> &'static str {
        self.name
    }
}

/// Topics of a crate.
#[doc(hidden)]
pub struct TopicSet(pub &'static [CacheTopic]);

inventory::collect!(TopicSet);

/// Number of topics that a program can have.
const TOPICS_MAX: usize = 8;

/// Topics of all crates of this program, by name.
static DECLARED: LazyLock<Vec<CacheTopic>> = LazyLock::new(|| {
    let mut topics: Vec<_> = inventory::iter::<TopicSet>().flat_map(|set| set.0).copied().collect();
    topics.sort_unstable();
    assert!(topics.len() <= TOPICS_MAX, "crates declare more topics than a request reads");
    topics
});

/// Declares the topics of a crate as constants, each with the key of its row in `kept_version`.
#[macro_export]
macro_rules! cache_topics {
    ($($(#[doc = $about:literal])* $constant:ident $name:literal)*) => {
        $($(#[doc = $about])* pub const $constant: $crate::CacheTopic = $crate::CacheTopic::declared($name);)*

        $crate::inventory::submit! { $crate::versioned_cache::TopicSet(&[$($constant,)*]) }
    };
}

/// Versions of the topics, as a request has read them; empty if it has read none. Versions begin at 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Versions([Option<NonZeroI64>; TOPICS_MAX]);

impl Versions {
    /// Expression that reads the versions of all topics within a query, in the form that [`Self::parse`] reads.
    pub const COLUMN: &str = "(SELECT string_agg(topic || ' ' || version, ',') FROM kept_version)";

    /// Parses the value of [`Self::COLUMN`]: `rights 5,catalogue 7`. Topics that this version does not declare
    /// are left out.
    pub fn parse(text: &str) -> Self {
        let version = |name| {
            let entries = text.split(',').filter_map(|entry| entry.split_once(' '));
            entries.into_iter().find(|(topic, _)| *topic == name)?.1.parse().ok()
        };
        let mut versions = Self::default();
        for (slot, topic) in versions.0.iter_mut().zip(CacheTopic::all()) {
            *slot = version(topic.name);
        }
        versions
    }

    /// Returns the version of a topic; `None` if it was not read.
    pub fn version(&self, topic: CacheTopic) -> Option<i64> {
        self.0.iter().zip(CacheTopic::all()).find(|(_, one)| *one == topic)?.0.map(NonZeroI64::get)
    }
}

/// Current version of a topic.
pub async fn current(db: &impl ConnectionTrait, topic: CacheTopic) -> Result<i64> {
    let sql = "SELECT version FROM kept_version WHERE topic = $1";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [topic.name().into()]);
    let row = db.query_one_raw(statement).await?.ok_or_else(|| Error::internal("a topic without version"))?;
    Ok(row.try_get("", "version")?)
}

/// Version of a topic as a column of a query, so that rows are read together with their version.
pub fn version_column(topic: CacheTopic) -> Expr {
    Expr::cust(format!("(SELECT version FROM kept_version WHERE topic = '{}')", topic.name()))
}

/// Raises the version of a topic. Other writers of the topic wait until this transaction ends.
pub async fn changed(tx: &impl ConnectionTrait, topic: CacheTopic) -> Result<()> {
    let sql = "UPDATE kept_version SET version = version + 1 WHERE topic = $1";
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [topic.name().into()]);
    tx.execute_raw(statement).await?;
    Ok(())
}

/// Role of a table's rows in the prices of a tenant, so that only changed parts are read again.
#[derive(Debug, Clone, Copy)]
pub enum PriceRole<C: 'static> {
    /// Few rows, which are all read again after any change: heads of price lists, adjustments, groups.
    Rules,
    /// Stock of an article. Relevant are changes of these columns, new rows and deleted rows.
    Stocks { article: C, columns: &'static [C] },
    /// Price of an article in a price list.
    OfList { list: C, article: C },
}

/// Part of a tenant's prices that has its own version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PricePart {
    Rules,
    Stocks,
    /// Price lists of a write that does not name them.
    Lists,
    List(i64),
}

impl From<PricePart> for i64 {
    fn from(part: PricePart) -> Self {
        match part {
            PricePart::Rules => 0,
            PricePart::Stocks => -1,
            PricePart::Lists => -2,
            PricePart::List(id) => id,
        }
    }
}

/// Articles whose prices a write changes in one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangedArticles {
    These(BTreeSet<i64>),
    /// Any article: the write does not name its articles.
    Any,
}

impl ChangedArticles {
    pub(crate) fn add(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::These(articles), Self::These(others)) => articles.extend(others),
            _ => *self = Self::Any,
        }
    }
}

/// Collects ids; `None` stands for an unknown article.
impl FromIterator<Option<i64>> for ChangedArticles {
    fn from_iter<I: IntoIterator<Item = Option<i64>>>(ids: I) -> Self {
        ids.into_iter().collect::<Option<_>>().map_or(Self::Any, Self::These)
    }
}

/// Changed parts of tenants' prices with their changed articles. Without a tenant, the change may concern all
/// tenants.
pub(crate) type OutdatedPrices = BTreeMap<(Option<TenantId>, PricePart), ChangedArticles>;

/// Versions of the parts of a tenant's prices at one moment, by tenant (or [`ALL_TENANTS`]) and part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PriceVersions(HashMap<(i64, i64), i64>);

impl PriceVersions {
    /// Reads the versions of a tenant, including those of writes that do not name a tenant.
    pub async fn read(db: &impl ConnectionTrait, tenant: TenantId) -> Result<Self> {
        let sql = "SELECT tenant_id, part, version FROM prices_version WHERE tenant_id IN ($1, $2)";
        let values = [ALL_TENANTS.into(), i64::from(tenant).into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
        let rows = db.query_all_raw(statement).await?;
        let version = |row: &QueryResult| {
            Ok(((row.try_get("", "tenant_id")?, row.try_get("", "part")?), row.try_get("", "version")?))
        };
        Ok(Self(rows.iter().map(version).collect::<Result<_, DbErr>>()?))
    }

    /// Sum of the versions, equal to [`prices_version`].
    pub fn whole(&self) -> i64 {
        self.0.values().sum()
    }
}

/// Current version of a tenant's prices: raised by every write to the rows that they are compiled from, also
/// by one that does not name a tenant.
pub async fn prices_version(db: &impl ConnectionTrait, tenant: TenantId) -> Result<i64> {
    let sql = "SELECT CAST(coalesce(sum(version), 0) AS bigint) AS version FROM prices_version \
               WHERE tenant_id IN ($1, $2)";
    let values = [ALL_TENANTS.into(), i64::from(tenant).into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let row = db.query_one_raw(statement).await?.ok_or_else(|| Error::internal("a sum without a row"))?;
    Ok(row.try_get("", "version")?)
}

/// Placeholder for the tenant in a change that may concern all tenants.
const ALL_TENANTS: i64 = 0;

/// Raises the versions of these parts and logs their articles; a part without a tenant counts for all
/// tenants. The rows are written in a fixed order, so that two writers of the same parts cannot deadlock.
///
/// A transaction locks the rows of its parts until it commits: versions have no gaps and become visible in
/// order, each with its rows and its articles.
pub(crate) async fn prices_changed(tx: &impl ConnectionTrait, parts: &OutdatedPrices) -> Result<()> {
    if parts.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = (0..parts.len()).map(|at| format!("(${}, ${}, 1)", 2 * at + 1, 2 * at + 2)).collect();
    let sql = format!(
        "INSERT INTO prices_version (tenant_id, part, version) VALUES {} \
         ON CONFLICT (tenant_id, part) DO UPDATE SET version = prices_version.version + 1 \
         RETURNING tenant_id, part, version",
        rows.join(", ")
    );
    let values = parts
        .keys()
        .flat_map(|(tenant, part)| [tenant.map_or(ALL_TENANTS, i64::from).into(), i64::from(*part).into()]);
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    price_log::write(tx, parts, &tx.query_all_raw(statement).await?).await
}

/// Value that is compiled as a whole from the rows of a topic.
pub trait Compiled: Any + Send + Sync + Sized {
    const TOPIC: CacheTopic;

    fn compile(db: &impl ConnectionTrait) -> impl Future<Output = Result<Self>> + Send;
}

/// Compiled values of a process, by type.
#[derive(Debug, Default)]
pub(crate) struct Compilations(Mutex<HashMap<TypeId, Arc<CompiledSlot>>>);

#[derive(Debug, Default)]
pub(crate) struct CompiledSlot {
    pub(crate) compiling: tokio::sync::Mutex<()>,
    compiled: Mutex<Option<(i64, Arc<dyn Any + Send + Sync>)>>,
}

impl Compilations {
    pub(crate) fn slot<C: Compiled>(&self) -> Arc<CompiledSlot> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots.entry(TypeId::of::<C>()).or_default().clone()
    }
}

impl CompiledSlot {
    pub(crate) fn since<C: Compiled>(&self, min_version: i64) -> Option<(Arc<C>, i64)> {
        let cached = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let (version, compiled) = cached.as_ref().filter(|(version, _)| *version >= min_version)?;
        Some((compiled.clone().downcast().ok()?, *version))
    }

    pub(crate) fn store(&self, version: i64, compiled: Arc<dyn Any + Send + Sync>) {
        let mut cached = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.as_ref().is_none_or(|(cached_version, _)| *cached_version < version) {
            *cached = Some((version, compiled));
        }
    }
}

/// LRU cache of values by key, each valid for one version.
#[derive(Debug)]
pub struct VersionedCache<K: Eq + Hash, V>(Mutex<LruCache<K, (i64, V)>>);

impl<K: Eq + Hash, V: Clone> VersionedCache<K, V> {
    /// Creates an empty cache for `entries` values; the least recently used is dropped first.
    pub fn with_capacity(entries: usize) -> Self {
        Self(Mutex::new(LruCache::new(entries)))
    }

    /// Returns the cached value of a key if it was stored with this version.
    pub fn get(&self, key: &K, version: i64) -> Option<V> {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached
            .get(key)
            .filter(|(cached_version, _)| *cached_version == version)
            .map(|(_, value)| value.clone())
    }

    /// Stores a value and the version it was made from.
    pub fn store(&self, key: K, version: i64, value: V) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, (version, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: CacheTopic = CacheTopic::declared("test_first");
    const SECOND: CacheTopic = CacheTopic::declared("test_second");

    inventory::submit! { TopicSet(&[FIRST, SECOND]) }

    #[test]
    fn versions_are_read_by_topic() {
        let versions = Versions::parse("test_second 7,removed 3,test_first 5");
        assert_eq!((versions.version(FIRST), versions.version(SECOND)), (Some(5), Some(7)));
        assert_eq!(versions.version(CacheTopic::declared("removed")), None);
        assert_eq!(Versions::parse(""), Versions::default());
    }

    #[test]
    fn values_are_valid_for_their_version_and_evicted_by_least_recent_use() {
        let cached = VersionedCache::with_capacity(2);
        cached.store("a", 1, 'a');
        cached.store("b", 1, 'b');
        assert_eq!(cached.get(&"a", 1), Some('a'));
        assert_eq!(cached.get(&"a", 2), None, "stored for another version");
        cached.store("c", 1, 'c');
        assert_eq!(cached.get(&"b", 1), None, "the least recently used");
        assert_eq!((cached.get(&"a", 1), cached.get(&"c", 1)), (Some('a'), Some('c')));
    }
}
