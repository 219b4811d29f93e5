//! Who may call: the first parameter of every handler. Without one it cannot be published.
//!
//! Sessions are people, personal access tokens are programs. `SignedIn` and [`InSession`] admit people only: they are for
//! what concerns accounts. `Authorized` admits programs as far as a token's abilities open it ([`identity::ability`]), which
//! nothing does that decides who may what.

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
    web,
};
use identity::{
    ability::{self, Ability},
    caller::{self, Caller, Credential, CurrentSession, CurrentToken},
};
use kernel::{
    Code, Error, Message, Permission, Result, Scope, TenantId, Violations, now,
    permission::{Grants, GrantsAny},
};
use tenancy::lookup;

use crate::{
    fair_turns::Claimant,
    http::{
        contract::TENANT,
        input::Client,
        limit::{self, Allowance},
        problem::Refusal,
        request::Request,
    },
    state::State,
};

/// A mere poll, which does not keep a session alive.
const PASSIVE: &str = "x-passive";

/// Whom an operation admits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Public,
    SignedIn(Accepts),
    Permission(Permission, Accepts),
    /// One of these is enough.
    AnyOf(&'static [Permission], Accepts),
}

/// With what somebody may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepts {
    /// A person, by the session that he has opened.
    Session,
    /// Or a program, by a personal access token.
    SessionOrToken,
    /// The same; as it only asks, also a program that may only read, whatever the method.
    Asking,
}

impl Rule {
    /// The same for people only.
    const fn in_session(self) -> Self {
        match self {
            Self::Public => Self::Public,
            Self::SignedIn(_) => Self::SignedIn(Accepts::Session),
            Self::Permission(permission, _) => Self::Permission(permission, Accepts::Session),
            Self::AnyOf(permissions, _) => Self::AnyOf(permissions, Accepts::Session),
        }
    }

    /// True if calls may be repeated under a key: those of users that do not only ask.
    pub(super) fn takes_key(self) -> bool {
        !matches!(
            self,
            Self::Public
                | Self::SignedIn(Accepts::Asking)
                | Self::Permission(_, Accepts::Asking)
                | Self::AnyOf(_, Accepts::Asking)
        )
    }

    /// The abilities of which a token needs one; `None`: whatever its abilities.
    pub fn abilities(self, reading: bool) -> Option<Vec<Ability>> {
        let opened = |permissions: &[Permission], accepts| {
            let reading = reading || accepts == Accepts::Asking;
            let opens =
                |ability: &Ability| permissions.iter().any(|permission| ability.opens(*permission, reading));
            Ability::ALL.iter().copied().filter(opens).collect()
        };
        match self {
            Self::Public | Self::SignedIn(Accepts::SessionOrToken | Accepts::Asking) => None,
            Self::SignedIn(Accepts::Session)
            | Self::Permission(_, Accepts::Session)
            | Self::AnyOf(_, Accepts::Session) => Some(Vec::new()),
            Self::Permission(permission, accepts) => Some(opened(&[permission], accepts)),
            Self::AnyOf(permissions, accepts) => Some(opened(permissions, accepts)),
        }
    }

    /// Refuses tokens that this is not for.
    fn admit(self, token: &CurrentToken, reading: bool) -> Result<()> {
        let Some(abilities) = self.abilities(reading) else { return Ok(()) };
        if abilities.is_empty() {
            return Err(Code::SessionRequired.into());
        }
        if abilities.iter().any(|ability| token.abilities.contains(ability)) {
            return Ok(());
        }
        Err(Code::AbilityMissing.with("abilities", ability::names(&abilities, ", ")).into())
    }
}

/// A handler's first parameter.
#[diagnostic::on_unimplemented(
    message = "a handler's first parameter says who may call it: `Authorized<_>`, `AuthorizedByAny<_>`, `Asks<_>`, `InSession<_>`, `SignedIn`, `Anyone`, `Known` or `Public`"
)]
pub trait Access {
    const RULE: Rule;
    /// Whether a user without tenant may choose one.
    const FOR_A_TENANT: bool = matches!(Self::RULE, Rule::Permission(..) | Rule::AnyOf(..));
}

/// Anybody.
#[derive(Debug)]
pub struct Public;

/// Any signed-in user, also without access to the admin area; no token.
#[derive(Debug)]
pub struct SignedIn {
    pub caller: Caller,
    pub session: CurrentSession,
}

/// Any signed-in user and any token: tells it no more than what it is.
#[derive(Debug)]
pub struct Known {
    pub caller: Caller,
}

/// Any signed-in user and any token, and the rows that they reach: what everybody may look up.
#[derive(Debug)]
pub struct Anyone {
    scope: Scope,
}

/// The same as its parameter where something is asked by another method than `GET`, because a question is long.
#[derive(Debug)]
pub struct Asks<A>(A);

/// The same for people only: tokens are refused, whatever their abilities.
#[derive(Debug)]
pub struct InSession<A>(A);

/// A user of the admin area who holds the permission, or a token of his with an ability for it, and the rows he reaches.
#[derive(Debug)]
pub struct Authorized<P> {
    pub caller: Caller,
    scope: Scope,
    permission: PhantomData<P>,
}

/// A user of the admin area who holds one of several permissions, or a token of theirs with an ability for one, and the rows
/// they reach.
#[derive(Debug)]
pub struct AuthorizedByAny<P> {
    scope: Scope,
    permissions: PhantomData<P>,
}

impl<P> AuthorizedByAny<P> {
    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}

impl<P> Authorized<P> {
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Refuses whoever may not do this besides: where what an operation does depends on what there is.
    pub fn demand<Q: Grants>(&self) -> Result<()> {
        if let Credential::Token(token) = &self.caller.credential {
            Authorized::<Q>::RULE.admit(token, false)?;
        }
        held(&self.caller, Q::PERMISSION)
    }
}

impl Anyone {
    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}

fn held(caller: &Caller, permission: Permission) -> Result<()> {
    if caller.may(permission) {
        return Ok(());
    }
    Err(Code::Forbidden.with("permission", permission.as_str()).into())
}

impl Access for Public {
    const RULE: Rule = Rule::Public;
}

impl Access for SignedIn {
    const RULE: Rule = Rule::SignedIn(Accepts::Session);
}

impl Access for Known {
    const RULE: Rule = Rule::SignedIn(Accepts::SessionOrToken);
}

impl Access for Anyone {
    const RULE: Rule = Rule::SignedIn(Accepts::SessionOrToken);
    const FOR_A_TENANT: bool = true;
}

impl<P: Grants> Access for Asks<Authorized<P>> {
    const RULE: Rule = Rule::Permission(P::PERMISSION, Accepts::Asking);
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

impl<A> Deref for Asks<A> {
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

/// What authentication found out, before any handler: kept in the request.
#[derive(Clone)]
enum Presented {
    Nothing,
    /// A token that is no good: of no matter to what is open to anybody, so that an old one keeps nobody from signing in anew
    /// or from using a link.
    Refused(Message),
    /// And the tenant he has chosen; a wrong choice matters to operations that ask for it.
    Caller(Box<Caller>, Result<Option<TenantId>, Violations>),
}

/// Finds out who is calling. Refuses nobody: that is the handlers' business.
pub async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let presented = present(&request).await;
    match presented.and_then(|presented| Ok((limited(&request, &presented)?, presented))) {
        Ok((allowance, presented)) => {
            request.extensions_mut().insert(presented);
            let mut response = next.call(request).await?;
            if let Some(allowance) = allowance {
                allowance.announce(response.headers_mut());
            }
            Ok(response.map_into_left_body())
        }
        Err(error) => {
            let spent = Allowance::spent(&error);
            let refusal = actix_web::Error::from(Refusal(error));
            let mut response = request.error_response(refusal);
            if let Some(allowance) = spent {
                allowance.announce(response.headers_mut());
            }
            Ok(response.map_into_right_body())
        }
    }
}

/// What a token may still call, of what programs work with.
fn limited(request: &ServiceRequest, presented: &Presented) -> Result<Option<Allowance>> {
    let Presented::Caller(caller, _) = presented else { return Ok(None) };
    let Credential::Token(token) = &caller.credential else { return Ok(None) };
    let state = request.app_data::<web::Data<State>>().ok_or_else(|| Error::internal("no state"))?;
    let limited = request.path().starts_with(limit::PATHS);
    limited.then(|| state.limits.take(token.id, Instant::now())).transpose()
}

async fn present(request: &ServiceRequest) -> Result<Presented> {
    if !request.headers().contains_key(AUTHORIZATION) {
        return Ok(Presented::Nothing);
    }
    let state = request.app_data::<web::Data<State>>().ok_or_else(|| Error::internal("no state"))?;
    let token = bearer(request.headers());
    let passive = request.headers().contains_key(PASSIVE);
    let address = Client::of(request.request()).address;
    let presented = caller::Presented { token, passive, address: &address };
    let lifetime = state.settings.session_lifetime();
    let caller = match caller::authenticate(&state.db, &state.callers, lifetime, presented, now()).await {
        Ok(caller) => caller,
        Err(Error::Refused(message)) => return Ok(Presented::Refused(message)),
        Err(error) => return Err(error),
    };
    let mut chosen = chosen_tenant(request.query_string());
    if let (Ok(Some(id)), None) = (&chosen, caller.tenant_id)
        && !lookup::is_tenant(&state.db, &caller.scope(None)?, *id).await?
    {
        chosen = Err(Violations::one(TENANT, Code::UnknownReference));
    }
    Ok(Presented::Caller(Box::new(caller), chosen))
}

/// The token of a call, empty where there is none.
pub(crate) fn bearer(headers: &HeaderMap) -> &str {
    let header = headers.get(AUTHORIZATION).and_then(|header| header.to_str().ok());
    header.and_then(|header| header.strip_prefix("Bearer ")).unwrap_or_default()
}

fn chosen_tenant(query: &str) -> Result<Option<TenantId>, Violations> {
    let mut chosen = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == TENANT);
    let Some((_, text)) = chosen.next() else { return Ok(None) };
    if chosen.next().is_some() {
        return Err(Violations::one(TENANT, Code::DuplicateParameter));
    }
    let id =
        text.parse().map_err(|_| Violations::one(TENANT, Code::InvalidParameter.with("expected", "123")))?;
    Ok(Some(TenantId(id)))
}

/// Who calls, for what is shared out between callers.
pub(crate) fn claimant(request: &HttpRequest) -> Result<Claimant> {
    match request.extensions().get::<Presented>() {
        Some(Presented::Caller(caller, _)) => Ok((&**caller).into()),
        _ => Err(Code::Unauthenticated.into()),
    }
}

/// The user who calls, if any does.
pub(crate) fn user(request: &HttpRequest) -> Option<i64> {
    match request.extensions().get::<Presented>() {
        Some(Presented::Caller(caller, _)) => Some(caller.id),
        _ => None,
    }
}

/// The caller, and whom he has chosen to act for, if the operation is for him.
fn admitted(request: &HttpRequest, rule: Rule) -> Result<(Caller, Result<Option<TenantId>, Violations>)> {
    let extensions = request.extensions();
    let (caller, tenant) = match extensions.get::<Presented>() {
        Some(Presented::Caller(caller, tenant)) => (caller, tenant),
        Some(Presented::Refused(message)) => return Err(message.clone().into()),
        Some(Presented::Nothing) | None => return Err(Code::Unauthenticated.into()),
    };
    if let Credential::Token(token) = &caller.credential {
        rule.admit(token, request.method().is_safe())?;
    }
    Ok((Caller::clone(caller), tenant.clone()))
}

fn signed_in(request: &HttpRequest) -> Result<SignedIn> {
    let (caller, _) = admitted(request, SignedIn::RULE)?;
    match caller.credential {
        Credential::Session(session) => Ok(SignedIn { caller, session }),
        Credential::Token(_) => Err(Code::SessionRequired.into()),
    }
}

fn authorized<P: Grants>(request: &HttpRequest, rule: Rule) -> Result<Authorized<P>> {
    let (caller, tenant) = admitted(request, rule)?;
    let needed: &[Permission] = match caller.credential {
        Credential::Session(_) => &[Permission::AccessAdmin, P::PERMISSION],
        // its abilities are the way into the admin area, as long as its owner may enter
        Credential::Token(_) => &[P::PERMISSION],
    };
    for permission in needed {
        held(&caller, *permission)?;
    }
    let scope = scope_of(request, &caller, tenant)?;
    Ok(Authorized { caller, scope, permission: PhantomData })
}

fn authorized_by_any<P: GrantsAny>(request: &HttpRequest, rule: Rule) -> Result<AuthorizedByAny<P>> {
    let (caller, tenant) = admitted(request, rule)?;
    if matches!(caller.credential, Credential::Session(_)) {
        held(&caller, Permission::AccessAdmin)?;
    }
    if let Some(first) = P::ANY.first()
        && !caller.rights.contains_any(P::ANY)
    {
        held(&caller, *first)?;
    }
    let scope = scope_of(request, &caller, tenant)?;
    Ok(AuthorizedByAny { scope, permissions: PhantomData })
}

/// The rows that a caller reaches, within the circle of partners that the operator has chosen.
fn scope_of(
    request: &HttpRequest,
    caller: &Caller,
    tenant: Result<Option<TenantId>, Violations>,
) -> Result<Scope> {
    let state = request.app_data::<web::Data<State>>().ok_or_else(|| Error::internal("no state"))?;
    let scope = caller.scope(tenant.map_err(Error::Invalid)?)?.with_partners(state.settings.partners.into());
    Ok(match request.extensions().get::<Request>() {
        Some(known) => scope.within(known.number),
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

impl FromRequest for Known {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(admitted(request, Self::RULE).map(|(caller, _)| Self { caller }).map_err(Refusal))
    }
}

impl FromRequest for Anyone {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let scope =
            admitted(request, Self::RULE).and_then(|(caller, tenant)| scope_of(request, &caller, tenant));
        ready(scope.map(|scope| Self { scope }).map_err(Refusal))
    }
}

impl<P: Grants> FromRequest for Asks<Authorized<P>> {
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
