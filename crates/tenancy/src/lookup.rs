//! Cached lookup of trading partners and their groups, valid until a tenant or a group changes.

use sea_orm::ConnectionTrait;
use store::{CacheTopic, Compiled, Database, Scope, VersionedCache, scope::PartnerCircle};
use values::{Error, Result, TenantId, permission::GrantsAny};

use crate::{
    cache_topics,
    partner::{self, NamesPartners},
    tenant::{self, Party},
    tenant_group,
};

const ENTRIES_MAX: usize = 10_000;

/// Version of cached answers: constant, because the cache is replaced with each change of tenants.
const ONLY_VERSION: i64 = 0;

/// Cached answers. They are not compiled in advance: there are many tenants, and few of them trade at a time.
#[derive(Debug)]
struct Lookups {
    parties: VersionedCache<PartyQuestion, Vec<Party>>,
    groups: VersionedCache<TenantId, Vec<i64>>,
    tenants: VersionedCache<TenantId, bool>,
}

impl Compiled for Lookups {
    const TOPIC: CacheTopic = cache_topics::TENANTS;

    async fn compile(_: &impl ConnectionTrait) -> Result<Self> {
        Ok(Self {
            parties: VersionedCache::with_capacity(ENTRIES_MAX),
            groups: VersionedCache::with_capacity(ENTRIES_MAX),
            tenants: VersionedCache::with_capacity(ENTRIES_MAX),
        })
    }
}

/// Everything that decides which parties a caller can name; key of the cache.
#[derive(Debug, PartialEq, Eq, Hash)]
struct PartyQuestion {
    home: Option<TenantId>,
    names_partners: bool,
    circle: PartnerCircle,
    ids: Vec<i64>,
    short_codes: Vec<String>,
}

/// Returns the partners with these ids and folded short codes that the caller can name
/// ([`partner::parties`]), as of the scope's request or later.
pub async fn named_parties(
    db: &Database,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
    short_codes: impl IntoIterator<Item = String>,
) -> Result<Vec<Party>> {
    let question = PartyQuestion {
        home: scope.home(),
        names_partners: scope.rights().contains_any(NamesPartners::ANY),
        circle: scope.partners(),
        ids: distinct(ids),
        short_codes: distinct(short_codes),
    };
    let lookups = db.compiled::<Lookups>(scope).await?;
    if let Some(parties) = lookups.parties.get(&question, ONLY_VERSION) {
        return Ok(parties);
    }
    let ids = question.ids.iter().copied();
    let parties = partner::parties(db, scope, ids, question.short_codes.iter().cloned()).await?;
    lookups.parties.store(question, ONLY_VERSION, parties.clone());
    Ok(parties)
}

/// Returns the groups of a tenant ([`tenant_group::load_groups`]), as of the scope's request or later.
pub async fn member_groups(db: &Database, scope: &Scope, tenant: TenantId) -> Result<Vec<i64>> {
    let lookups = db.compiled::<Lookups>(scope).await?;
    if let Some(groups) = lookups.groups.get(&tenant, ONLY_VERSION) {
        return Ok(groups);
    }
    let groups = tenant_group::load_groups(db, tenant.into()).await?;
    lookups.groups.store(tenant, ONLY_VERSION, groups.clone());
    Ok(groups)
}

/// True if there is a tenant with this id that is not being deleted, as of the scope's request or later.
pub async fn is_tenant(db: &Database, scope: &Scope, id: TenantId) -> Result<bool> {
    let lookups = db.compiled::<Lookups>(scope).await?;
    if let Some(exists) = lookups.tenants.get(&id, ONLY_VERSION) {
        return Ok(exists);
    }
    let exists = match tenant::get(db, &Scope::platform(), id.into()).await {
        Ok(_) => true,
        Err(Error::Refused(_)) => false,
        Err(error) => return Err(error),
    };
    lookups.tenants.store(id, ONLY_VERSION, exists);
    Ok(exists)
}

fn distinct<T: Ord>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut distinct: Vec<T> = all.into_iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}
