//! Unresolved numbers of other systems over HTTP: suggestions, matching them, and the rows that wait.

use http_api::{
    access::Authorized,
    answer::{OkJson, OkPage, ok_json, ok_page},
    bulk::{self, BulkChange, BulkOutcome, Filters, RefusedRecord},
    input::{Body, Db, Id, List, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use imports::{
    import::{Import, replay_cause::ReplayCause, uploader::Uploader},
    unresolved::{self, Kind, State, UnresolvedNumber, UnresolvedNumbers, replay::Replay},
};
use logistics::matching::unresolved::{
    MatchInput, Suggestion, SuggestionReason,
    bulk::{MatchOutcome, NumberMatches, match_numbers},
    match_number, replay_matched, suggestions,
};
use serde::{Deserialize, Serialize};
use store::{Database, Scope, deadline};
use utoipa::ToSchema;
use values::{Language, Result, Validated};

use crate::{
    state::{Server, State as Installation},
    work::IMPORT_TYPES,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, UnresolvedNumbers: list, list_suggestions, view, resolve, replay, bulk_match, bulk_change);
}

/// Number of another system that no matching resolves.
#[derive(Serialize, ToSchema)]
#[schema(as = UnresolvedNumber)]
struct UnresolvedNumberView {
    id: i64,
    kind: Kind,
    #[schema(example = "4711-200")]
    number: String,
    /// Last name of the article, warehouse or tenant in a file; empty without one.
    #[schema(example = "HEB 200 S235JR")]
    designation: String,
    /// GTIN in the document of the other system; empty without one.
    #[schema(example = "4006381333931")]
    gtin: String,
    state: State,
    /// Number of rows with it; 0 for a candidate that only a document of the other system names.
    #[schema(example = 12)]
    times: i64,
    /// Number of rows that wait for it; rows of files wait for 90 days.
    #[schema(example = 3)]
    waiting: i64,
    /// Last import with it; `null` for a call.
    #[schema(required)]
    import_id: Option<i64>,
    version: i64,
    first_seen: chrono::DateTime<chrono::Utc>,
    last_seen: chrono::DateTime<chrono::Utc>,
}

/// Number with suggestions, the best first.
#[derive(Serialize, ToSchema)]
#[schema(as = UnresolvedNumberDetail)]
struct DetailView {
    #[serde(flatten)]
    number: UnresolvedNumberView,
    #[schema(max_items = 3)]
    suggestions: Vec<SuggestionView>,
}

/// Suggestion for a number.
#[derive(Serialize, ToSchema)]
#[schema(as = MatchSuggestion)]
struct SuggestionView {
    id: i64,
    /// Article number, or short code of the warehouse or the tenant.
    #[schema(example = "HEB-200-S235JR")]
    number: String,
    #[schema(example = "Breitflanschträger HEB 200 S235JR")]
    name: String,
    reason: SuggestionReason,
}

/// Suggestions for a number, the best first.
#[derive(Serialize, ToSchema)]
#[schema(as = NumberSuggestions)]
struct SuggestionsView {
    /// Id of the number.
    id: i64,
    #[schema(max_items = 3)]
    suggestions: Vec<SuggestionView>,
}

/// Result of matching many numbers.
#[derive(Serialize, ToSchema)]
#[schema(as = NumberMatchOutcome)]
struct MatchOutcomeView {
    #[schema(example = 12)]
    done: u64,
    /// Numbers that stay unresolved, each with its reasons.
    refused: Vec<RefusedRecord>,
    /// Imports of the rows that waited, one for each import that they came from.
    imports: Vec<i64>,
}

/// Imports of rows that waited.
#[derive(Serialize, ToSchema)]
#[schema(as = ReplayedRows)]
struct ReplayedView {
    /// New imports, one for each import with rows that waited.
    imports: Vec<i64>,
}

/// Change of unresolved numbers.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
#[schema(as = UnresolvedNumberChange)]
enum Change {
    /// True to ignore the numbers, false to list them again.
    Ignored(bool),
}

impl UnresolvedNumberView {
    fn new(number: UnresolvedNumber, waiting: i64) -> Self {
        Self {
            id: number.id,
            kind: number.kind,
            number: number.number,
            designation: number.designation,
            gtin: number.gtin,
            state: number.state,
            times: number.times,
            waiting,
            import_id: number.import_id,
            version: number.version,
            first_seen: number.created_at,
            last_seen: number.updated_at,
        }
    }

    async fn load(db: &Database, scope: &Scope, numbers: Vec<UnresolvedNumber>) -> Result<Vec<Self>> {
        let waiting =
            unresolved::waiting_row_counts(db, scope, numbers.iter().map(|number| number.id)).await?;
        let view = |number: UnresolvedNumber| {
            let waiting = waiting.get(&number.id).copied().unwrap_or_default();
            Self::new(number, waiting)
        };
        Ok(numbers.into_iter().map(view).collect())
    }
}

impl From<Suggestion> for SuggestionView {
    fn from(Suggestion { id, number, name, reason }: Suggestion) -> Self {
        Self { id, number, name, reason }
    }
}

impl MatchOutcomeView {
    fn new(MatchOutcome { done, refused, imports }: MatchOutcome, language: Language) -> Self {
        let refused = refused.into_iter().map(|(number, error)| {
            let UnresolvedNumber { id, number, .. } = number;
            RefusedRecord::new(id, number, &error, language)
        });
        Self {
            done,
            refused: refused.collect(),
            imports: imports.into_iter().map(|import| import.id).collect(),
        }
    }
}

impl ReplayedView {
    fn from_imports(imports: &[Import]) -> Self {
        Self { imports: imports.iter().map(|import| import.id).collect() }
    }
}

/// Lists the unresolved numbers of the acting tenant.
#[utoipa::path(get, path = "/api/admin/unresolved-numbers")]
async fn list(
    by: Authorized<logistics::may::ListMatchings>,
    Db(db): Db,
    List(query): List<UnresolvedNumbers>,
) -> Answer<OkPage<UnresolvedNumberView>> {
    let page = query.fetch::<UnresolvedNumber>(&db, by.scope(), |select| select).await?;
    Ok(ok_page(page.detailed(async |rows| UnresolvedNumberView::load(&db, by.scope(), rows).await).await?))
}

/// Lists suggestions for the numbers of a page of the list; ignored numbers have none.
#[utoipa::path(get, path = "/api/admin/unresolved-numbers/suggestions")]
async fn list_suggestions(
    by: Authorized<logistics::may::ViewMatching>,
    Db(db): Db,
    List(query): List<UnresolvedNumbers>,
) -> Answer<OkPage<SuggestionsView>> {
    deadline::extend(deadline::MANY_RECORDS);
    let page = query.fetch::<UnresolvedNumber>(&db, by.scope(), |select| select).await?;
    let suggested = page.detailed(async |numbers| {
        let mut rows = Vec::new();
        for number in numbers {
            let candidates = match number.state {
                State::Open => suggestions(&db, by.scope(), &number).await?,
                State::Ignored => Vec::new(),
            };
            let suggestions = candidates.into_iter().map(SuggestionView::from).collect();
            rows.push(SuggestionsView { id: number.id, suggestions });
        }
        Ok(rows)
    });
    Ok(ok_page(suggested.await?))
}

/// Shows a number with suggestions.
#[utoipa::path(get, path = "/api/admin/unresolved-numbers/{id}")]
async fn view(
    by: Authorized<logistics::may::ViewMatching>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<OkJson<DetailView>> {
    let number = by.scope().get::<UnresolvedNumbers>(&db, id).await?;
    let suggestions = suggestions(&db, by.scope(), &number).await?;
    let number = UnresolvedNumberView::load(&db, by.scope(), vec![number]).await?.remove(0);
    let suggestions = suggestions.into_iter().map(SuggestionView::from).collect();
    Ok(ok_json(DetailView { number, suggestions }))
}

/// Matches a number with an article, a warehouse or the tenant itself, and imports the rows that waited for
/// it, if the caller may import.
#[utoipa::path(post, path = "/api/admin/unresolved-numbers/{id}/match")]
async fn resolve(
    by: Authorized<logistics::may::CreateMatching>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<Validated<MatchInput>>,
) -> Answer<OkJson<ReplayedView>> {
    let by = Uploader { scope: by.scope(), rights: by.caller.rights, language: request.language };
    let (_, imports) = match_number(replaying(&state, by), id, input).await?;
    state.imports_waiting.notify_one();
    Ok(ok_json(ReplayedView::from_imports(&imports)))
}

/// Imports the rows that waited for numbers which any matching resolves by now.
#[utoipa::path(post, path = "/api/admin/unresolved-numbers/replay")]
async fn replay(
    by: Authorized<imports::may::CreateImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
) -> Answer<OkJson<ReplayedView>> {
    let by = Uploader { scope: by.scope(), rights: by.caller.rights, language: request.language };
    let imports = replay_matched(replaying(&state, by)).await?;
    state.imports_waiting.notify_one();
    Ok(ok_json(ReplayedView::from_imports(&imports)))
}

/// Matches up to 100 numbers, each with the record sent for it, and imports the rows that waited for them
/// together, if the caller may import. Each follows the rules of a single one; refused ones stay unresolved.
#[utoipa::path(post, path = "/api/admin/unresolved-numbers/bulk-match")]
async fn bulk_match(
    by: Authorized<logistics::may::CreateMatching>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(input): Body<Validated<NumberMatches>>,
) -> Answer<OkJson<MatchOutcomeView>> {
    deadline::extend(deadline::MANY_RECORDS);
    let by = Uploader { scope: by.scope(), rights: by.caller.rights, language: request.language };
    let outcome = match_numbers(replaying(&state, by), input).await?;
    state.imports_waiting.notify_one();
    Ok(ok_json(MatchOutcomeView::new(outcome, request.language)))
}

fn replaying<'a>(state: &'a Installation, by: Uploader<'a>) -> Replay<'a> {
    Replay {
        db: &state.db,
        storage: &state.storage,
        registry: &IMPORT_TYPES,
        by,
        cause: ReplayCause::Request,
    }
}

/// Ignores unresolved numbers, or lists them again.
#[utoipa::path(post, path = "/api/admin/unresolved-numbers/bulk-change")]
async fn bulk_change(
    by: Authorized<logistics::may::UpdateMatching>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    filters: Filters<UnresolvedNumbers>,
    Body(BulkChange { selection, change }): Body<BulkChange<Change>>,
) -> Answer<OkJson<BulkOutcome>> {
    let Change::Ignored(ignored) = change;
    let one = async |id, _: &str| unresolved::ignore(&db, by.scope(), id, ignored).await;
    Ok(ok_json(bulk::apply_to_each(&db, by.scope(), &filters, &selection, request.language, one).await?))
}
