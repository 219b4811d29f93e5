//! Repeated authorization of the caller of a long-running answer.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Data};
use identity::caller::{self, Caller, Presented};
use kernel::{Error, Result, now};
use utoipa::openapi::path::Operation;

use crate::{
    http::{
        access,
        contract::Schemas,
        input::{Client, Input, state},
        problem::Refusal,
    },
    state::State,
};

/// Credentials of a call, to be checked again.
pub struct Again {
    state: Data<State>,
    token: String,
    address: String,
}

impl std::fmt::Debug for Again {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Again").finish_non_exhaustive()
    }
}

impl Again {
    /// True if the session or token is still valid and the caller's permissions have not changed. The check
    /// does not keep a session alive.
    pub async fn is_let_in(&self, before: &Caller) -> Result<bool> {
        let State { db, callers, settings, .. } = &**self.state;
        let presented = Presented { token: &self.token, passive: true, address: &self.address };
        match caller::authenticate(db, callers, settings.session_lifetime(), presented, now()).await {
            Ok(caller) => Ok(caller.rights == before.rights && caller.tenant_id == before.tenant_id),
            Err(Error::Refused(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl FromRequest for Again {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let (token, address) = (access::bearer(request.headers()), Client::of(request).address);
        let again = |state: &Data<State>| Self { state: state.clone(), token: token.to_owned(), address };
        ready(state(request).map(again).map_err(Refusal))
    }
}

impl Input for Again {
    fn describe(_: &mut Operation, _: &mut Schemas) {}
}
