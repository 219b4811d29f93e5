//! The current user.

use identity::caller::Caller;
use kernel::{Language, Permission, Scope};
use serde::Serialize;
use tenancy::tenant::{self, Tenant};
use utoipa::ToSchema;

use crate::{
    http::{
        access::SignedIn,
        answer::{Shown, shown},
        input::Db,
        routes::{Answer, Routes},
    },
    publish,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "users": me);
}

/// The current user and what he may do now.
#[derive(Serialize, ToSchema)]
struct CurrentUser {
    id: i64,
    name: String,
    email: String,
    /// `null`: belongs to no tenant, administers the platform.
    #[schema(required)]
    tenant_id: Option<i64>,
    #[schema(required)]
    tenant: Option<OwnTenant>,
    permissions: Vec<HeldPermission>,
    #[schema(required)]
    language: Option<Language>,
}

#[derive(Serialize, ToSchema)]
struct OwnTenant {
    id: i64,
    company: String,
    short_code: String,
}

#[derive(Serialize, ToSchema)]
struct HeldPermission {
    name: Permission,
}

impl CurrentUser {
    fn new(caller: Caller, tenant: Option<Tenant>) -> Self {
        let Caller { id, name, email, tenant_id, language, rights, .. } = caller;
        let tenant =
            tenant.map(|Tenant { id, company, short_code, .. }| OwnTenant { id, company, short_code });
        let permissions = rights.iter().map(|name| HeldPermission { name }).collect();
        Self { id, name, email, tenant_id, tenant, permissions, language }
    }
}

/// Shows the current user.
#[utoipa::path(get, path = "/api/users/me")]
async fn me(by: SignedIn, Db(db): Db) -> Answer<Shown<CurrentUser>> {
    let tenant = match by.caller.tenant_id {
        Some(id) => Some(tenant::get(&db, &Scope::platform(), id).await?),
        None => None,
    };
    Ok(shown(CurrentUser::new(by.caller, tenant)))
}
