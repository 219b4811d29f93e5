//! Demo data: the data of a steel trader on their first day. They are only created in an empty database.

mod catalog;
mod categories;
mod files;
mod past;
mod price_adjustments;
mod price_lists;
mod processing_prices;
mod sample_carts;
mod shipping;
mod stocks;
mod surcharge_tables;
mod warehouses;

use api::{
    demo_accounts::{
        ACCOUNTS, ADMINISTRATOR, Account, NORDSTAHL, PASSWORD, PLATFORM, SHOP, SUEDROHR, TENANT_ADMIN,
        TENANT_USER,
    },
    steel_catalogue,
};
use chrono::TimeDelta;
use identity::{
    ability::Ability,
    caller,
    password::Passwords,
    role::{self, RoleInput, Roles},
    token::{self, TokenInput},
    user::{self, Users},
};
use lists::Creatable;
use sea_orm::{ColumnTrait, QueryFilter};
use storage::Storage;
use store::{Database, Scope};
use tenancy::{
    tenant::{self, TenantInput, Tenants},
    tenant_group::{TenantGroupInput, TenantGroups},
};
use tokio::sync::OnceCell;
use values::{Permission, PermissionSet, Principal, Result, TenantId, UserId, fold, now, permissions};

/// Address of the demo's shop; the domain is a reserved one.
pub const SHOP_URL: &str = "https://shop.stalhof.example/";

/// Company, short code, address, e-mail, phone.
const TENANTS: &[(&str, &str, &str, &str, &str)] = &[
    (
        "Nordstahl Handel GmbH",
        NORDSTAHL,
        "Kaistraße 3, 20457 Hamburg",
        "einkauf@nordstahl.example",
        "+49 40 5550130",
    ),
    ("Südrohr AG", SUEDROHR, "Hafenring 12, 93055 Regensburg", "info@suedrohr.example", "+49 941 5550188"),
];

/// Tokens of users, one of which expires soon. Their secrets are not known.
const TOKENS: &[(&str, &str, Ability, i64)] = &[
    ("leitung@nordstahl.example", "Warenwirtschaft: Preise", Ability::ImportPrices, 6),
    ("leitung@nordstahl.example", "Auswertung", Ability::AccessAdmin, 90),
];

/// Name, description, members.
const GROUPS: &[(&str, &str, &[&str])] = &[
    ("Einkaufsverbund Stahl", "Gemeinsamer Einkauf bei den Walzwerken", &[NORDSTAHL, SUEDROHR]),
    ("Rohrhandel", "Handelt vor allem Rohre und Hohlprofile", &[SUEDROHR]),
];

/// Fills an empty database; leaves any other unchanged.
pub async fn fill(db: &Database, storage: &Storage) -> Result<()> {
    // the administrator is created last: without them, other data may be missing as well
    if is_in(db).await? || !only_demo_accounts(db).await? {
        return Ok(());
    }
    fill_catalogue(db).await?;
    categories::fill(db, storage).await?;
    let tenants = companies(db).await?;
    warehouses::match_up(db, &tenants).await?;
    shipping::fill(db, &tenants).await?;
    stocks::fill(db, &tenants).await?;
    price_lists::fill(db, &tenants).await?;
    processing_prices::fill(db, &tenants).await?;
    sample_carts::fill(db, &tenants).await?;
    people(db, |account| account.email != ADMINISTRATOR).await?;
    // needs the groups
    price_adjustments::fill(db, &tenants).await?;
    surcharge_tables::fill(db, &tenants).await?;
    sample_carts::accept(db, &tenants).await?;
    files::import(db, storage, &tenants).await?;
    accounts(db).await
}

/// Creates missing parts of the steel catalogue and the articles: an earlier run may have been interrupted.
pub async fn fill_catalogue(db: &Database) -> Result<()> {
    steel_catalogue::fill(db, &Scope::platform(), steel_catalogue::Part::ALL).await?;
    catalog::fill(db).await
}

/// True if the demo accounts exist.
pub async fn is_in(db: &Database) -> Result<bool> {
    user::lookup::is_known(db, ADMINISTRATOR).await
}

async fn only_demo_accounts(db: &Database) -> Result<bool> {
    let users = Scope::platform().find::<Users>().all(db).await?;
    Ok(users.iter().all(|user| ACCOUNTS.iter().any(|account| account.email == user.email)))
}

/// Creates the companies with their warehouses; existing ones stay unchanged.
async fn companies(db: &Database) -> Result<Vec<(&'static str, i64)>> {
    let platform = Scope::platform();
    let existing = platform.find::<Tenants>().all(db).await?;
    let mut tenants: Vec<(&str, i64)> = Vec::new();
    for (company, short_code, address, email, phone) in TENANTS {
        if let Some(tenant) = existing.iter().find(|tenant| tenant.short_code == *short_code) {
            tenants.push((*short_code, tenant.id));
            continue;
        }
        let input = TenantInput {
            company: (*company).to_owned(),
            short_code: (*short_code).to_owned(),
            address: Some((*address).to_owned()),
            email: Some((*email).to_owned()),
            phone: Some((*phone).to_owned()),
            permissions: tenant_ceiling().iter().collect(),
            ..TenantInput::default()
        };
        tenants.push((*short_code, tenant::create(db, &platform, input).await?.tenant.id));
    }
    warehouses::fill(db, &tenants).await?;
    Ok(tenants)
}

/// Creates the companies and their users; existing ones stay unchanged.
pub async fn accounts(db: &Database) -> Result<()> {
    people(db, |_| true).await
}

/// Creates some of the users.
async fn people(db: &Database, some: fn(&Account) -> bool) -> Result<()> {
    let platform = Scope::platform();
    let tenants = companies(db).await?;
    let groups = platform.find::<TenantGroups>().all(db).await?;
    for (name, description, members) in GROUPS {
        if groups.iter().any(|group| group.name == *name) {
            continue;
        }
        let members = tenants.iter().filter(|(short_code, _)| members.contains(short_code));
        let input = TenantGroupInput {
            name: (*name).to_owned(),
            description: Some((*description).to_owned()),
            tenant_ids: members.map(|(_, id)| *id).collect(),
            version: None,
        };
        TenantGroups::create(db, &platform, input).await?;
    }
    let mut roles = vec![(PLATFORM, platform_role(db).await?)];
    for (name, permissions) in [
        (TENANT_ADMIN, tenant_ceiling()),
        (TENANT_USER, tenant_user()),
        (SHOP, PermissionSet::from_iter([permissions::ACCESS_SHOP])),
    ] {
        roles.push((name, role_named(db, name, permissions).await?));
    }
    let hash = HASH.get_or_try_init(hash).await?;
    let id_of = |records: &[(&str, i64)], name: Option<&str>| {
        records.iter().find(|(record_name, _)| Some(*record_name) == name).map(|(_, id)| *id)
    };
    let users = platform.find::<Users>().all(db).await?;
    for account in ACCOUNTS.iter().rev().filter(|account| some(account)) {
        if users.iter().any(|user| user.email == account.email) {
            continue;
        }
        let input = user::Account {
            name: account.name.to_owned(),
            email: account.email.to_owned(),
            tenant_id: id_of(&tenants, account.tenant).map(TenantId),
            role_ids: id_of(&roles, account.role).into_iter().collect(),
            password_hash: Some(hash.clone()),
        };
        let user = user::enroll(db, &platform, input).await?;
        for (email, name, ability, days) in TOKENS {
            if user.email == *email
                && let Some(tenant) = user.tenant_id
                && let Some(scope) =
                    caller::scope_of_job(db, Principal::User(UserId(user.id)), tenant, &[]).await?
            {
                let expires_at = Some(now() + TimeDelta::days(*days));
                let input = TokenInput { name: (*name).to_owned(), abilities: vec![*ability], expires_at };
                token::create(db, &scope, input, now()).await?;
            }
        }
    }
    Ok(())
}

/// Hash of the password of all accounts, computed once.
static HASH: OnceCell<String> = OnceCell::const_new();

async fn hash() -> Result<String> {
    // no request waits for it: on a busy machine it only takes longer
    let passwords = Passwords::default();
    loop {
        match passwords.hash(PASSWORD.to_owned()).await {
            Err(values::Error::Later { .. }) => {}
            hashed => return hashed,
        }
    }
}

/// Returns the role with all permissions, and creates it if it is missing.
pub async fn platform_role(db: &Database) -> Result<i64> {
    role_named(db, PLATFORM, PermissionSet::all()).await
}

async fn role_named(db: &Database, name: &str, permissions: PermissionSet) -> Result<i64> {
    let existing =
        Scope::platform().find::<Roles>().filter(role::Column::NameFold.eq(fold(name))).one(db).await?;
    if let Some(role) = existing {
        return Ok(role.id);
    }
    let input = RoleInput { name: name.to_owned(), permissions: permissions.iter().collect(), version: None };
    Ok(Roles::create(db, &Scope::platform(), input).await?.role.id)
}

/// Maximum permissions of tenants: reading master data, and changing their own data.
fn tenant_ceiling() -> PermissionSet {
    let platform_wide = [
        "attribute.",
        "material.",
        "trade_dimension.",
        "article_type.",
        "article-type-group.",
        "article.",
        "category.",
        "processing.",
        "shipping_node.",
        "tenant.",
        "tenant-group.",
    ];
    Permission::all()
        .filter(|permission| {
            let name = permission.as_str();
            reads(name) || !platform_wide.iter().any(|resource| name.starts_with(resource))
        })
        .collect()
}

/// Permissions of a tenant's user: reading all data of the tenant except users, changing stocks and prices.
fn tenant_user() -> PermissionSet {
    let people = ["user.", "roles.", "token.", "audit.", "configure-"];
    let keeps = ["stock.", "listing.", "matching.", "import.", "warehouse."];
    tenant_ceiling()
        .iter()
        .filter(|permission| {
            let name = permission.as_str();
            let reads = reads(name) || name.starts_with("access-");
            !people.iter().any(|area| name.starts_with(area))
                && (reads || keeps.iter().any(|area| name.starts_with(area)))
        })
        .collect()
}

fn reads(permission: &str) -> bool {
    matches!(permission.rsplit_once('.'), Some((_, "list" | "view")))
}
