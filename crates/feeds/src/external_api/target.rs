//! The server of an external API as calls reach it, with its opened secret.

use std::time::Duration;

use outbound::http::HttpsUrl;
use secrets::{Keys, SecretString};
use values::{Result, TenantId};

use super::{ExternalApi, ExternalApiInput, SECRET, SecretTarget, fields::Authentication};
use crate::codes;

/// A server that is called.
#[derive(Debug, Clone)]
pub struct ApiTarget {
    pub base_url: HttpsUrl,
    pub credential: ApiCredential,
    /// Authorities in PEM, in addition to those that browsers trust.
    pub authorities: Option<String>,
    pub timeout: Duration,
    /// The owner of the settings, whose tokens are not shared with others.
    pub tenant: TenantId,
}

/// The proof that a call carries.
#[derive(Debug, Clone)]
pub enum ApiCredential {
    None,
    Basic { username: String, password: SecretString },
    Bearer(SecretString),
    Header { name: String, value: SecretString },
    Oauth2(ClientCredentials),
}

/// Client credentials of OAuth2.
#[derive(Debug, Clone)]
pub struct ClientCredentials {
    pub token_url: HttpsUrl,
    pub client_id: String,
    pub client_secret: SecretString,
    pub scope: Option<String>,
}

/// Returns the server of saved settings.
///
/// # Errors
/// A secret that is missing or cannot be opened.
pub fn saved_target(keys: &Keys, api: &ExternalApi) -> Result<ApiTarget> {
    let sealed = api.secret_sealed.as_ref();
    let secret = sealed.map(|sealed| keys.open(SECRET.cell(api.id), sealed)).transpose()?;
    let parts = Parts {
        target: SecretTarget::from_row(api),
        scope: api.scope.as_deref(),
        authorities: api.ca_certificate.as_deref(),
        timeout_ms: api.timeout_ms,
    };
    parts.target(api.tenant_id, secret)
}

/// Returns the server of settings that are not saved. A secret that was not entered is the saved one, but
/// only for the same origin, authentication and names: it is never sent elsewhere.
///
/// # Errors The same as for [`saved_target`].
pub fn entered_target(
    keys: &Keys,
    tenant: TenantId,
    input: &ExternalApiInput,
    saved: Option<&ExternalApi>,
) -> Result<ApiTarget> {
    let target = SecretTarget::from_input(input);
    let secret = match (&input.secret, saved.filter(|saved| target.is_same(saved))) {
        (Some(entered), _) if entered.is_empty() => None,
        (Some(entered), _) => Some(entered.secret().clone()),
        (None, Some(saved)) => {
            let sealed = saved.secret_sealed.as_ref();
            sealed.map(|sealed| keys.open(SECRET.cell(saved.id), sealed)).transpose()?
        }
        (None, None) => None,
    };
    let parts = Parts {
        target,
        scope: input.scope.as_deref(),
        authorities: input.ca_certificate.as_deref(),
        timeout_ms: input.timeout_ms,
    };
    parts.target(tenant, secret)
}

struct Parts<'a> {
    target: SecretTarget<'a>,
    scope: Option<&'a str>,
    authorities: Option<&'a str>,
    timeout_ms: i64,
}

impl Parts<'_> {
    fn target(self, tenant: TenantId, secret: Option<SecretString>) -> Result<ApiTarget> {
        let SecretTarget { base_url, authentication, names: [username, header_name, token_url] } =
            self.target;
        let name = |name: Option<&str>| name.unwrap_or_default().to_owned();
        let url = |url: &str| HttpsUrl::parse(url).map_err(|failure| failure.message(""));
        let secret = || secret.ok_or(codes::API_SECRET_MISSING);
        let credential = match authentication {
            Authentication::None => ApiCredential::None,
            Authentication::Basic => ApiCredential::Basic { username: name(username), password: secret()? },
            Authentication::Bearer => ApiCredential::Bearer(secret()?),
            Authentication::Header => ApiCredential::Header { name: name(header_name), value: secret()? },
            Authentication::Oauth2 => ApiCredential::Oauth2(ClientCredentials {
                token_url: url(token_url.unwrap_or_default())?,
                client_id: name(username),
                client_secret: secret()?,
                scope: self.scope.map(str::to_owned),
            }),
        };
        Ok(ApiTarget {
            base_url: url(base_url)?,
            credential,
            authorities: self.authorities.map(str::to_owned),
            timeout: Duration::from_millis(self.timeout_ms.unsigned_abs()),
            tenant,
        })
    }
}

impl ApiTarget {
    /// The address of a path below the base URL.
    ///
    /// # Errors
    /// A path that leads to no address of this origin.
    pub fn url(&self, path: &str) -> Result<HttpsUrl> {
        let base = self.base_url.as_str().trim_end_matches('/');
        let url = HttpsUrl::parse(&format!("{base}/{}", path.trim_start_matches('/')));
        let url = url.map_err(|failure| failure.message(self.base_url.host()))?;
        if url.is_same_origin(&self.base_url) { Ok(url) } else { Err(codes::API_PATH_INVALID.into()) }
    }
}
