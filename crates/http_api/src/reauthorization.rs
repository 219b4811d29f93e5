//! Repeated authorization of the caller of a long-running answer.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Data};
use identity::caller::{self, Caller, RequestCredential};
use utoipa::openapi::path::Operation;
use values::{Error, Result, now};

use crate::{
    access,
    context::{ServerContext, server},
    contract::Schemas,
    input::{Client, Input},
    problem::Refusal,
};

/// Credentials of a call, to be checked again.
pub struct Reauthorization {
    server: Data<dyn ServerContext>,
    token: String,
    address: String,
}

impl std::fmt::Debug for Reauthorization {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Again").finish_non_exhaustive()
    }
}

impl Reauthorization {
    /// True if the session or token is still valid and the caller's permissions have not changed. The check
    /// does not keep a session alive.
    pub async fn is_still_authorized(&self, before: &Caller) -> Result<bool> {
        let server = &self.server;
        let presented = RequestCredential { token: &self.token, passive: true, address: &self.address };
        let lifetime = server.session_lifetime();
        match caller::authenticate(server.db(), &server.http().callers, lifetime, presented, now()).await {
            Ok(caller) => Ok(caller.rights == before.rights && caller.tenant_id == before.tenant_id),
            Err(Error::Refused(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl FromRequest for Reauthorization {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let (token, address) = (access::bearer(request.headers()), Client::read(request).address);
        let reauthorization = |server: &Data<dyn ServerContext>| Self {
            server: server.clone(),
            token: token.to_owned(),
            address,
        };
        ready(server(request).map(reauthorization).map_err(Refusal))
    }
}

impl Input for Reauthorization {
    fn describe(_: &mut Operation, _: &mut Schemas) {}
}
