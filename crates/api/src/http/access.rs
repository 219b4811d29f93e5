//! Who may call: the first parameter of every handler. Without one it cannot be published.

use std::{
    future::{Ready, ready},
    marker::PhantomData,
};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    body::MessageBody,
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::header::AUTHORIZATION,
    middleware::Next,
    web,
};
use identity::caller::{self, Caller};
use kernel::{Code, Error, Permission, Result, Scope, Violations, now, permission::Grants};
use tenancy::tenant;

use crate::{app::State, http::problem::Refusal};

/// A mere poll, which does not keep a session alive.
const PASSIVE: &str = "x-passive";

/// Whom an operation admits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Public,
    SignedIn,
    Permission(Permission),
}

/// A handler's first parameter.
#[diagnostic::on_unimplemented(
    message = "a handler's first parameter says who may call it: `Authorized<_>`, `SignedIn` or `Public`"
)]
pub trait Access {
    const RULE: Rule;
}

/// Anybody.
#[derive(Debug)]
pub struct Public;

/// Any signed-in user, also without access to the admin area.
#[derive(Debug)]
pub struct SignedIn {
    pub caller: Caller,
}

/// A signed-in user of the admin area who holds the permission, and the rows he reaches.
#[derive(Debug)]
pub struct Authorized<P> {
    pub caller: Caller,
    scope: Scope,
    permission: PhantomData<P>,
}

impl<P> Authorized<P> {
    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}

impl Access for Public {
    const RULE: Rule = Rule::Public;
}

impl Access for SignedIn {
    const RULE: Rule = Rule::SignedIn;
}

impl<P: Grants> Access for Authorized<P> {
    const RULE: Rule = Rule::Permission(P::PERMISSION);
}

/// What authentication found out, before any handler: kept in the request.
#[derive(Clone)]
enum Presented {
    Nothing,
    /// And the tenant he has chosen; a wrong choice matters to operations that ask for it.
    Caller(Caller, Result<Option<i64>, Violations>),
}

/// Finds out who is calling. Refuses nobody but those whose token is wrong.
pub async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    match present(&request).await {
        Ok(presented) => {
            request.extensions_mut().insert(presented);
            Ok(next.call(request).await?.map_into_left_body())
        }
        Err(error) => {
            let refusal = actix_web::Error::from(Refusal(error));
            Ok(request.error_response(refusal).map_into_right_body())
        }
    }
}

async fn present(request: &ServiceRequest) -> Result<Presented> {
    let Some(header) = request.headers().get(AUTHORIZATION) else { return Ok(Presented::Nothing) };
    let state = request.app_data::<web::Data<State>>().ok_or_else(|| Error::internal("no state"))?;
    let token = header.to_str().ok().and_then(|header| header.strip_prefix("Bearer ")).unwrap_or_default();
    let passive = request.headers().contains_key(PASSIVE);
    let lifetime = state.settings.session_lifetime();
    let caller = match caller::authenticate(&state.db, &state.rights, lifetime, token, passive, now()).await {
        Ok(caller) => caller,
        // An old token does not keep anybody from signing in anew.
        Err(Error::Refused(_)) if request.path() == "/api/sessions" || request.path() == "/api/config" => {
            return Ok(Presented::Nothing);
        }
        Err(error) => return Err(error),
    };
    let mut chosen = chosen_tenant(request.query_string());
    if let (Ok(Some(id)), None) = (&chosen, caller.tenant_id) {
        match tenant::get(&state.db, &Scope::platform(), *id).await {
            Ok(_) => {}
            Err(Error::Refused(_)) => chosen = Err(Violations::one(TENANT, Code::UnknownReference)),
            Err(error) => return Err(error),
        }
    }
    Ok(Presented::Caller(caller, chosen))
}

/// The query parameter by which a tenant-less user says for whom he acts.
pub const TENANT: &str = "tenant_id";

fn chosen_tenant(query: &str) -> Result<Option<i64>, Violations> {
    let mut chosen = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == TENANT);
    let Some((_, text)) = chosen.next() else { return Ok(None) };
    if chosen.next().is_some() {
        return Err(Violations::one(TENANT, Code::DuplicateParameter));
    }
    let id =
        text.parse().map_err(|_| Violations::one(TENANT, Code::InvalidParameter.with("expected", "123")))?;
    Ok(Some(id))
}

fn caller(request: &HttpRequest) -> Result<(Caller, Result<Option<i64>, Violations>)> {
    match request.extensions().get::<Presented>() {
        Some(Presented::Caller(caller, tenant)) => Ok((caller.clone(), tenant.clone())),
        _ => Err(Code::Unauthenticated.into()),
    }
}

fn authorized<P: Grants>(request: &HttpRequest) -> Result<Authorized<P>> {
    let (caller, tenant) = caller(request)?;
    for permission in [Permission::AccessAdmin, P::PERMISSION] {
        if !caller.may(permission) {
            return Err(Code::Forbidden.with("permission", permission.as_str()).into());
        }
    }
    let scope = caller.scope(tenant.map_err(Error::Invalid)?)?;
    Ok(Authorized { caller, scope, permission: PhantomData })
}

impl FromRequest for Public {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(_: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self))
    }
}

impl FromRequest for SignedIn {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(caller(request).map(|(caller, _)| Self { caller }).map_err(Refusal))
    }
}

impl<P: Grants> FromRequest for Authorized<P> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(authorized(request).map_err(Refusal))
    }
}
