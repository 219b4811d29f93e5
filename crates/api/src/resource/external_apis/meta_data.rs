//! Lists of another system over HTTP: fetched as one document, and imported.

use feeds::external_api::{ExternalApis, meta_data::FETCH_WITHIN};
use http_api::{
    access::Authorized,
    answer::{Created, created},
    input::{Id, RequestInfo},
    publish,
    request_limits::REQUEST_TIMEOUT,
    routes::{Answer, Routes},
};
use imports::import::uploader::Uploader;
use store::deadline;

use crate::{
    list_fetches::fetcher,
    resource::imports::{ImportView, load_view},
    state::Server,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, ExternalApis: import_meta_data);
}

/// Fetches the lists of an external API and imports them as a document: numbers without a matching become
/// unresolved numbers with suggestions. Stocks and prices stay unchanged. It takes at most a minute.
#[utoipa::path(post, path = "/api/admin/external-apis/{id}/import-meta-data")]
async fn import_meta_data(
    by: Authorized<feeds::may::ConfigureExternalApi>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<Created<ImportView>> {
    let (scope, language) = (by.scope(), request.language);
    scope.demand(imports::permissions::CREATE_IMPORT)?;
    let api = scope.get::<ExternalApis>(&state.db, id).await?;
    deadline::extend(FETCH_WITHIN + REQUEST_TIMEOUT);
    let owner = scope.acting_for(Some(api.tenant_id));
    let uploader = Uploader { scope: &owner, rights: by.caller.rights, language };
    let import = fetcher(&state).import(uploader, &api).await?;
    state.imports_waiting.notify_one();
    Ok(created(load_view(import, &state, &owner, language).await?))
}
