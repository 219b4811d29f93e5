//! Trading partners: company, short code and town of the tenants that users who make prices or request quotes
//! can name. Nothing else of another tenant is visible. The operator can limit the circle to members of
//! common groups.

use std::collections::{HashMap, HashSet};

use lists::{
    Field, Listed,
    search::{self, SearchedColumns},
};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QuerySelect, sea_query::Query};
use store::{Owner, Scope, Scoped, scope::PartnerCircle};
use values::{Permission, Result, permission::GrantsAny, reference::named_by};

pub use crate::entity::partner::{Entity as Partners, Model as Partner};
use crate::{
    entity::{
        partner::Column,
        tenant_group_member::{self, Entity as Members},
    },
    tenant::Party,
    tenant_group,
};

/// Permissions, any of which lets a user find trading partners: those of price lists and price adjustments,
/// and the one to request quotes.
#[derive(Debug)]
pub struct NamesPartners;

impl GrantsAny for NamesPartners {
    const ANY: &'static [Permission] = &[
        Permission::from_name("price_list.list"),
        Permission::from_name("price_list.view"),
        Permission::from_name("price_list.create"),
        Permission::from_name("price_list.update"),
        Permission::from_name("price_list.delete"),
        Permission::from_name("price_adjustment.list"),
        Permission::from_name("price_adjustment.view"),
        Permission::from_name("price_adjustment.create"),
        Permission::from_name("price_adjustment.update"),
        Permission::from_name("price_adjustment.delete"),
        Permission::from_name("listing.view"),
    ];
}

impl Scoped for Partners {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;

    /// Limits rows to the caller's own company, and with one of [`NamesPartners`] to the circle of partners.
    fn visible_to(scope: &Scope) -> Condition {
        let active = Condition::all().add(Column::RemovalBegunAt.is_null());
        let names_others = scope.rights().contains_any(NamesPartners::ANY);
        match scope.home() {
            None if names_others => active,
            None => active.add(Column::Id.is_null()),
            Some(home) if !names_others => active.add(Column::Id.eq(home)),
            Some(home) => match scope.partners() {
                PartnerCircle::Everyone => active,
                PartnerCircle::SharedGroups => {
                    let mut members = Query::select();
                    members.column(tenant_group_member::Column::TenantId).from(Members).and_where(
                        tenant_group_member::Column::TenantGroupId.in_subquery(tenant_group::ids_of(home)),
                    );
                    let own = Column::Id.eq(home);
                    active.add(Condition::any().add(own).add(Column::Id.in_subquery(members)))
                }
            },
        }
    }
}

impl Listed for Partners {
    const FIELDS: &'static [Field] = &[
        Field::text("company", &Column::CompanyFold).sorted_by(&Column::CompanySort),
        Field::text("short_code", &Column::ShortCodeFold).sorted_by(&Column::ShortCodeSort),
        Field::text("place", &Column::PlaceFold).optional().unsorted(),
        Field::search("search", &Column::CompanyFold, &SEARCHED),
    ];
    const DEFAULT_SORT: &'static str = "company";
}

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[&Column::CompanyFold, &Column::ShortCodeFold, &Column::PlaceFold],
    trigrams: None,
    references: &[],
    read: search::words,
    beginnings: None,
};

/// Filters ids to those that the caller can name as partners.
pub async fn visible(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashSet<i64>> {
    Ok(companies(db, scope, ids).await?.into_keys().collect())
}

/// Returns the companies of those ids that the caller can name as partners.
pub async fn companies(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, String>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let partners = scope.find::<Partners>().filter(Column::Id.is_in(ids)).select_only();
    let partners = partners.columns([Column::Id, Column::Company]).into_tuple::<(i64, String)>();
    Ok(partners.all(db).await?.into_iter().collect())
}

/// Returns the partners with these ids and folded short codes that the caller can name.
pub async fn parties(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
    short_codes: impl IntoIterator<Item = String>,
) -> Result<Vec<Party>> {
    let condition = named_by(Column::Id, ids, Column::ShortCodeFold, short_codes);
    let parties = scope.find::<Partners>().filter(condition).select_only();
    let parties = parties.columns([Column::Id, Column::ShortCode, Column::Company]);
    Ok(parties.into_model::<Party>().all(db).await?)
}
