//! Access rules: the first parameter of every handler. A handler without one cannot be published.
//!
//! Sessions belong to people, personal access tokens to programs. `SignedIn` and [`InSession`] admit only
//! people, for operations on accounts. `Authorized` admits programs if an ability of their token opens the
//! operation ([`identity::ability`]); no ability opens operations that change permissions.

use std::{
    future::{Ready, ready},
    marker::PhantomData,
    ops::Deref,
    time::Instant,
};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    body::MessageBody,
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::header::{AUTHORIZATION, HeaderMap},
    middleware::Next,
};
use identity::{
    ability::{self, Ability},
    caller::{self, Caller, Credential, CurrentSession, CurrentToken},
};
use store::Scope;
use tenancy::lookup;
use values::{
    Error, Message, Permission, Result, TenantId, Violations, now,
    permission::{Grants, GrantsAny},
    permissions,
};

use crate::{
    codes,
    context::server,
    contract::TENANT,
    fair_queue::Claimant,
    input::Client,
    limit::{self, Allowance},
    problem::Refusal,
    request::Request,
};

/// Header that marks polling, which does not keep a session alive.
const PASSIVE: &str = "x-passive";

/// Callers that an operation admits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Public,
    SignedIn(Accepts),
    Permission(Permission, Accepts),
    /// Any one of these permissions.
    AnyOf(&'static [Permission], Accepts),
}

/// Credentials that an operation accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepts {
    /// Session of a person.
    Session,
    /// Session of a person, or personal access token of a program.
    SessionOrToken,
    /// Like `SessionOrToken`, for operations that only read, whatever their method: tokens that can only read
    /// are accepted.
    ReadOnly,
}

impl Rule {
    /// Restricts the rule to sessions.
    const fn in_session(self) -> Self {
        match self {
            Self::Public => Self::Public,
            Self::SignedIn(_) => Self::SignedIn(Accepts::Session),
            Self::Permission(permission, _) => Self::Permission(permission, Accepts::Session),
            Self::AnyOf(permissions, _) => Self::AnyOf(permissions, Accepts::Session),
        }
    }

    /// True if a `POST` under this rule may have an idempotency key: the caller is signed in, and the rule is
    /// not read-only. Callers check the method.
    pub(super) fn takes_key(self) -> bool {
        !matches!(self, Self::Public) && !self.is_read_only()
    }

    /// True if its operations only read, whatever their method.
    const fn is_read_only(self) -> bool {
        matches!(
            self,
            Self::SignedIn(Accepts::ReadOnly)
                | Self::Permission(_, Accepts::ReadOnly)
                | Self::AnyOf(_, Accepts::ReadOnly)
        )
    }

    /// Abilities, one of which a token needs; `None` if every token is accepted, empty if only sessions are.
    /// `reading`: the operation only reads.
    pub fn abilities(self, reading: bool) -> Option<Vec<Ability>> {
        let reading = reading || self.is_read_only();
        let opened = |permissions: &[Permission]| {
            let opens =
                |ability: &Ability| permissions.iter().any(|permission| ability.opens(*permission, reading));
            Ability::ALL.iter().copied().filter(opens).collect()
        };
        match self {
            Self::Public | Self::SignedIn(Accepts::SessionOrToken | Accepts::ReadOnly) => None,
            Self::SignedIn(Accepts::Session)
            | Self::Permission(_, Accepts::Session)
            | Self::AnyOf(_, Accepts::Session) => Some(Vec::new()),
            Self::Permission(permission, _) => Some(opened(&[permission])),
            Self::AnyOf(permissions, _) => Some(opened(permissions)),
        }
    }

    /// Refuses tokens without a suitable ability.
    fn admit(self, token: &CurrentToken, reading: bool) -> Result<()> {
        let Some(abilities) = self.abilities(reading) else { return Ok(()) };
        if abilities.is_empty() {
            return Err(codes::SESSION_REQUIRED.into());
        }
        if abilities.iter().any(|ability| token.abilities.contains(ability)) {
            return Ok(());
        }
        Err(codes::ABILITY_MISSING.with("abilities", ability::names(&abilities, ", ")).into())
    }
}

/// First parameter of a handler.
#[diagnostic::on_unimplemented(
    message = "a handler's first parameter says who may call it: `Authorized<_>`, `AuthorizedByAny<_>`, `ReadOnlyPost<_>`, `InSession<_>`, `SignedIn`, `AnyUser`, `SignedInOrToken` or `Public`"
)]
pub trait Access {
    const RULE: Rule;
    /// True if a user without a tenant may choose one.
    const FOR_A_TENANT: bool = matches!(Self::RULE, Rule::Permission(..) | Rule::AnyOf(..));
}

/// Any caller, without signing in.
#[derive(Debug)]
pub struct Public;

/// Any signed-in user, even without access to the admin area; no tokens.
#[derive(Debug)]
pub struct SignedIn {
    pub caller: Caller,
    pub session: CurrentSession,
}

/// Any signed-in user and any token, without access to rows.
#[derive(Debug)]
pub struct SignedInOrToken {
    pub caller: Caller,
}

/// Any signed-in user and any token, with the scope of their rows, for lookups that every token may use.
#[derive(Debug)]
pub struct AnyUser {
    scope: Scope,
}

/// Same access as its parameter, for reading operations with a method other than `GET` because their input is
/// long.
#[derive(Debug)]
pub struct ReadOnlyPost<A>(A);

/// Same access as its parameter, for sessions only: tokens are refused, whatever their abilities.
#[derive(Debug)]
pub struct InSession<A>(A);

/// User of the admin area with the permission, or a token of theirs with an ability for it, with the scope of
/// their rows.
#[derive(Debug)]
pub struct Authorized<P> {
    pub caller: Caller,
    scope: Scope,
    permission: PhantomData<P>,
}

/// User of the admin area with any of several permissions, or a token of theirs with an ability for one, with
/// the scope of their rows.
#[derive(Debug)]
pub struct AuthorizedByAny<P> {
    scope: Scope,
    permissions: PhantomData<P>,
}

impl<P> AuthorizedByAny<P> {
    /// Returns the rows and permissions of the caller.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}

impl<P> Authorized<P> {
    /// Returns the rows and permissions of the caller.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Refuses callers without a further permission, for operations whose effect depends on the data.
    pub fn require_permission<Q: Grants>(&self) -> Result<()> {
        if let Credential::Token(token) = &self.caller.credential {
            Authorized::<Q>::RULE.admit(token, false)?;
        }
        check_permission(&self.caller, Q::PERMISSION)
    }
}

impl AnyUser {
    /// Returns the rows and permissions of the caller.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}

fn check_permission(caller: &Caller, permission: Permission) -> Result<()> {
    if caller.may(permission) {
        return Ok(());
    }
    Err(codes::FORBIDDEN.with("permission", permission.as_str()).into())
}

impl Access for Public {
    const RULE: Rule = Rule::Public;
}

impl Access for SignedIn {
    const RULE: Rule = Rule::SignedIn(Accepts::Session);
}

impl Access for SignedInOrToken {
    const RULE: Rule = Rule::SignedIn(Accepts::SessionOrToken);
}

impl Access for AnyUser {
    const RULE: Rule = Rule::SignedIn(Accepts::SessionOrToken);
    const FOR_A_TENANT: bool = true;
}

impl<P: Grants> Access for ReadOnlyPost<Authorized<P>> {
    const RULE: Rule = Rule::Permission(P::PERMISSION, Accepts::ReadOnly);
}

impl<P: Grants> Access for Authorized<P> {
    const RULE: Rule = Rule::Permission(P::PERMISSION, Accepts::SessionOrToken);
}

impl<P: GrantsAny> Access for AuthorizedByAny<P> {
    const RULE: Rule = Rule::AnyOf(P::ANY, Accepts::SessionOrToken);
}

impl<A: Access> Access for InSession<A> {
    const RULE: Rule = A::RULE.in_session();
}

impl<A> Deref for ReadOnlyPost<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.0
    }
}

impl<A> Deref for InSession<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.0
    }
}

/// Result of the authentication, stored in the request before any handler runs.
#[derive(Clone)]
enum Authentication {
    Nothing,
    /// Invalid token. Public operations ignore it, so that an old token does not prevent signing in again or
    /// using a link.
    Refused(Message),
    /// Caller with the tenant that they have chosen; an invalid choice is an error only for operations that
    /// use it.
    Caller(Box<Caller>, Result<Option<TenantId>, Violations>),
}

/// Authenticates the caller. It refuses no caller except for rate limits: access is checked by the handlers.
pub async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let authentication = authenticate(&request).await;
    match authentication
        .and_then(|authentication| Ok((count_call(&request, &authentication)?, authentication)))
    {
        Ok((allowance, authentication)) => {
            request.extensions_mut().insert(authentication);
            let mut response = next.call(request).await?;
            if let Some(allowance) = allowance {
                allowance.announce(response.headers_mut());
            }
            Ok(response.map_into_left_body())
        }
        Err(error) => {
            let exhausted = Allowance::exhausted(&error);
            let refusal = actix_web::Error::from(Refusal(error));
            let mut response = request.error_response(refusal);
            if let Some(allowance) = exhausted {
                allowance.announce(response.headers_mut());
            }
            Ok(response.map_into_right_body())
        }
    }
}

/// Counts a call of a token under the rate limit, and returns the remaining calls.
fn count_call(request: &ServiceRequest, authentication: &Authentication) -> Result<Option<Allowance>> {
    let Authentication::Caller(caller, _) = authentication else { return Ok(None) };
    let Credential::Token(token) = &caller.credential else { return Ok(None) };
    let server = server(request.request())?;
    let is_limited = request.path().starts_with(limit::PATHS);
    is_limited.then(|| server.http().limits.take(token.id, Instant::now())).transpose()
}

async fn authenticate(request: &ServiceRequest) -> Result<Authentication> {
    if !request.headers().contains_key(AUTHORIZATION) {
        return Ok(Authentication::Nothing);
    }
    let server = server(request.request())?;
    let token = bearer(request.headers());
    let passive = request.headers().contains_key(PASSIVE);
    let address = Client::read(request.request()).address;
    let presented = caller::RequestCredential { token, passive, address: &address };
    let lifetime = server.session_lifetime();
    let caller =
        match caller::authenticate(server.db(), &server.http().callers, lifetime, presented, now()).await {
            Ok(caller) => caller,
            Err(Error::Refused(message)) => return Ok(Authentication::Refused(message)),
            Err(error) => return Err(error),
        };
    let mut chosen = chosen_tenant(request.query_string());
    if let (Ok(Some(id)), None) = (&chosen, caller.tenant_id)
        && !lookup::is_tenant(server.db(), &caller.scope(None)?, *id).await?
    {
        chosen = Err(Violations::one(TENANT, codes::UNKNOWN_REFERENCE));
    }
    Ok(Authentication::Caller(Box::new(caller), chosen))
}

/// Returns the bearer token of a call; empty without one.
pub(crate) fn bearer(headers: &HeaderMap) -> &str {
    let header = headers.get(AUTHORIZATION).and_then(|header| header.to_str().ok());
    let scheme_and_token = header.and_then(|header| header.split_once(' '));
    // the scheme ignores case: RFC 9110, 11.1
    let is_bearer = |(scheme, _): &(&str, &str)| scheme.eq_ignore_ascii_case("Bearer");
    scheme_and_token.filter(is_bearer).map(|(_, token)| token).unwrap_or_default()
}

fn chosen_tenant(query: &str) -> Result<Option<TenantId>, Violations> {
    let mut chosen = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == TENANT);
    let Some((_, text)) = chosen.next() else { return Ok(None) };
    if chosen.next().is_some() {
        return Err(Violations::one(TENANT, codes::DUPLICATE_PARAMETER));
    }
    let id = text
        .parse()
        .map_err(|_| Violations::one(TENANT, codes::INVALID_PARAMETER.with("expected", "123")))?;
    Ok(Some(TenantId(id)))
}

/// Returns the caller as a claimant of shared resources.
pub(crate) fn claimant(request: &HttpRequest) -> Result<Claimant> {
    match request.extensions().get::<Authentication>() {
        Some(Authentication::Caller(caller, _)) => Ok((&**caller).into()),
        _ => Err(codes::UNAUTHENTICATED.into()),
    }
}

/// Returns the id of the user who calls, if there is one.
pub(crate) fn user(request: &HttpRequest) -> Option<i64> {
    match request.extensions().get::<Authentication>() {
        Some(Authentication::Caller(caller, _)) => Some(caller.id),
        _ => None,
    }
}

/// Returns the caller and the tenant that they have chosen, if the rule admits them.
fn admitted_caller(
    request: &HttpRequest,
    rule: Rule,
) -> Result<(Caller, Result<Option<TenantId>, Violations>)> {
    let extensions = request.extensions();
    let (caller, tenant) = match extensions.get::<Authentication>() {
        Some(Authentication::Caller(caller, tenant)) => (caller, tenant),
        Some(Authentication::Refused(message)) => return Err(message.clone().into()),
        Some(Authentication::Nothing) | None => return Err(codes::UNAUTHENTICATED.into()),
    };
    if let Credential::Token(token) = &caller.credential {
        rule.admit(token, request.method().is_safe())?;
    }
    Ok((Caller::clone(caller), tenant.clone()))
}

fn signed_in(request: &HttpRequest) -> Result<SignedIn> {
    let (caller, _) = admitted_caller(request, SignedIn::RULE)?;
    match caller.credential {
        Credential::Session(session) => Ok(SignedIn { caller, session }),
        Credential::Token(_) => Err(codes::SESSION_REQUIRED.into()),
    }
}

fn authorized<P: Grants>(request: &HttpRequest, rule: Rule) -> Result<Authorized<P>> {
    let (caller, tenant) = admitted_caller(request, rule)?;
    let needed: &[Permission] = match caller.credential {
        Credential::Session(_) => &[permissions::ACCESS_ADMIN, P::PERMISSION],
        // a token's abilities replace the permission for the admin area, which its owner still needs
        Credential::Token(_) => &[P::PERMISSION],
    };
    for permission in needed {
        check_permission(&caller, *permission)?;
    }
    let scope = scope_of(request, &caller, tenant)?;
    Ok(Authorized { caller, scope, permission: PhantomData })
}

fn authorized_by_any<P: GrantsAny>(request: &HttpRequest, rule: Rule) -> Result<AuthorizedByAny<P>> {
    let (caller, tenant) = admitted_caller(request, rule)?;
    if matches!(caller.credential, Credential::Session(_)) {
        check_permission(&caller, permissions::ACCESS_ADMIN)?;
    }
    let reading = request.method().is_safe() || rule.is_read_only();
    let is_usable = |permission: &Permission| {
        caller.rights.contains(*permission)
            && match &caller.credential {
                Credential::Session(_) => true,
                // an ability also carries permissions whose own operations it does not open
                Credential::Token(token) => {
                    token.abilities.iter().any(|ability| ability.opens(*permission, reading))
                }
            }
    };
    if !P::ANY.iter().any(is_usable) {
        let first = P::ANY.first().map_or("", |permission| permission.as_str());
        return Err(codes::FORBIDDEN.with("permission", first).into());
    }
    let scope = scope_of(request, &caller, tenant)?;
    Ok(AuthorizedByAny { scope, permissions: PhantomData })
}

/// Builds the scope of a caller, with the visible partners that the operator has configured.
fn scope_of(
    request: &HttpRequest,
    caller: &Caller,
    tenant: Result<Option<TenantId>, Violations>,
) -> Result<Scope> {
    let server = server(request)?;
    let scope = caller.scope(tenant.map_err(Error::Invalid)?)?.with_partners(server.partner_circle());
    Ok(match request.extensions().get::<Request>() {
        Some(request_info) => scope.within(request_info.number),
        None => scope,
    })
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
        ready(signed_in(request).map_err(Refusal))
    }
}

impl FromRequest for SignedInOrToken {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(admitted_caller(request, Self::RULE).map(|(caller, _)| Self { caller }).map_err(Refusal))
    }
}

impl FromRequest for AnyUser {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let scope = admitted_caller(request, Self::RULE)
            .and_then(|(caller, tenant)| scope_of(request, &caller, tenant));
        ready(scope.map(|scope| Self { scope }).map_err(Refusal))
    }
}

impl<P: Grants> FromRequest for ReadOnlyPost<Authorized<P>> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(authorized(request, Self::RULE).map(Self).map_err(Refusal))
    }
}

impl<P: Grants> FromRequest for Authorized<P> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(authorized(request, Self::RULE).map_err(Refusal))
    }
}

impl<P: GrantsAny> FromRequest for AuthorizedByAny<P> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(authorized_by_any(request, Self::RULE).map_err(Refusal))
    }
}

impl<P: Grants> FromRequest for InSession<Authorized<P>> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(authorized(request, Self::RULE).map(Self).map_err(Refusal))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn the_scheme_of_a_token_ignores_case_and_other_schemes_are_no_tokens() {
        for (value, token) in [
            ("Bearer a.b", "a.b"),
            ("bearer a.b", "a.b"),
            ("BEARER a", "a"),
            ("Basic a", ""),
            ("Bearer", ""),
            ("a", ""),
        ] {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(value))]);
            assert_eq!(bearer(&headers), token, "{value}");
        }
    }
}
