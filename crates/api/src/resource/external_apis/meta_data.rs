//! Lists of another system over HTTP: fetched as one document, and imported.

use feeds::external_api::{ExternalApis, meta_data::FETCH_WITHIN, quantities::Asker, target::saved_target};
use imports::{
    import::{self, upload::ImportInput, uploader::Uploader},
    import_type::ImportType,
};
use kernel::{Code, Error, Permission, deadline, may};
use outbound::http::HttpsUrl;

use crate::{
    config::REQUEST_TIMEOUT,
    http::{
        access::Authorized,
        answer::{Created, created},
        input::{About, Id, Server},
        routes::{Answer, Routes},
    },
    publish,
    resource::imports::{ImportView, seen},
    work::IMPORT_TYPES,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, ExternalApis: import_meta_data);
}

/// Fetches the lists of an external API and imports them as a document: numbers that no matching knows become unresolved numbers with
/// suggestions. Stocks and prices stay as they are. It takes at most a minute.
#[utoipa::path(post, path = "/api/admin/external-apis/{id}/import-meta-data")]
async fn import_meta_data(
    by: Authorized<may::ConfigureExternalApi>,
    Server(state): Server,
    About(request): About,
    Id(id): Id,
) -> Answer<Created<ImportView>> {
    let (scope, language) = (by.scope(), request.language);
    scope.demand(Permission::CreateImport)?;
    let api = scope.get::<ExternalApis>(&state.db, id).await?;
    if api.meta_data.iter().next().is_none() {
        return Err(Error::from(Code::ApiNoLists).into());
    }
    let target = saved_target(&state.keys, &api)?;
    state.storage.admit()?;
    deadline::extend(FETCH_WITHIN + REQUEST_TIMEOUT);
    let asker = Asker { db: &state.db, outbound: &state.outbound, caller: &state.external_apis };
    let document = Box::pin(asker.fetch_document(&api, &target)).await?.map_err(Error::from)?;
    let file = state.storage.spool_file()?;
    serde_json::to_writer(&file, &document).map_err(Error::internal)?;
    let host = HttpsUrl::parse(&api.base_url).map(|url| url.host().to_owned()).unwrap_or_default();
    let input = ImportInput::new(ImportType::ExternalApiMetaData, format!("{host}.json"));
    let owner = scope.acting_for(Some(api.tenant_id));
    let uploader = Uploader { scope: &owner, rights: by.caller.rights, language };
    let import =
        import::upload::submit(&state.db, &state.storage, &IMPORT_TYPES, uploader, input, file.path())
            .await?;
    state.imports_waiting.notify_one();
    Ok(created(seen(import, &state, &owner, language).await?))
}
