//! Quantities of stocks that only a tenant's own system has, requested live within the timeout of its API.
//!
//! A recent answer is reused, and concurrent questions of all processes for the same stock share one call: a
//! claim in the row of the stock decides which process calls, the others wait for the answer.

use std::{collections::HashMap, time::Duration};

use chrono::TimeDelta;
use feeds::external_api::{
    self, ExternalApi, connection_state,
    fields::AvailabilityEndpoint,
    quantities::{Asker, line_for},
    target::{ApiTarget, saved_target},
    template::{QuestionLine, is_for_one_warehouse},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use logistics::{
    matching::warehouse_identifiers,
    stock::{
        self, Stock, StockDetail,
        external_quantity::{self, Claim, ExternalQuantity, KnownQuantity},
        not_counted,
    },
};
use store::Scope;
use tokio::time::{Instant, sleep};
use values::{Decimal, Message, Result, now};

use crate::{codes, state::State};

/// Maximum number of concurrent calls for one question.
const CALLS_AT_ONCE: usize = 4;
/// Time beyond the timeout after which a claim expires.
const CLAIM_MARGIN: TimeDelta = TimeDelta::seconds(2);
/// Interval between two polls for the answer to the call of another process.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Quantities and, for those that are not live, the reasons; both by stock id.
#[derive(Debug, Default)]
pub(crate) struct LiveAnswers {
    pub(crate) quantities: HashMap<i64, ExternalQuantity>,
    pub(crate) reasons: HashMap<i64, Message>,
}

/// Stock with the question for it.
struct StockQuestion {
    detail: StockDetail,
    line: QuestionLine,
}

/// Quantity of a stock, or the reason why there is none.
type StockAnswer = (i64, Result<Decimal, Message>);

/// Requests stocks from the API of the owner. Without an answer in time, the last known quantity is used.
///
/// # Errors
/// Errors of the database. Failures of the API are returned as reasons.
pub(crate) async fn request_quantities(
    state: &State,
    owner: &Scope,
    stocks: Vec<Stock>,
) -> Result<LiveAnswers> {
    let (db, tenant) = (&state.db, owner.tenant()?);
    let ids: Vec<i64> = stocks.iter().map(|stock| stock.id).collect();
    if ids.is_empty() {
        return Ok(LiveAnswers::default());
    }
    let began = now();
    let Some(api) = external_api::for_quantities(db, tenant).await? else {
        let stored_rows = external_quantity::load(db, tenant, &ids).await?;
        let quantities = stored_rows.iter().filter_map(|(id, row)| Some((*id, row.last_known()?))).collect();
        let reasons = ids.iter().map(|id| (*id, codes::API_NOT_CONFIGURED.into())).collect();
        return Ok(LiveAnswers { quantities, reasons });
    };
    let timeout = Duration::from_millis(api.timeout_ms.unsigned_abs());
    let deadline = Instant::now() + timeout;
    let fresh_since = began - TimeDelta::seconds(api.cache_seconds);
    let mut stored_rows = external_quantity::load(db, tenant, &ids).await?;
    let is_fresh = |row: &KnownQuantity| row.as_of.is_some_and(|as_of| as_of >= fresh_since);
    let outdated: Vec<i64> =
        ids.iter().copied().filter(|id| !stored_rows.get(id).is_some_and(is_fresh)).collect();
    let mut paused = None;
    if !outdated.is_empty() {
        paused = connection_state::pause_message(db, &api).await?;
    }
    if !outdated.is_empty() && paused.is_none() {
        let until = began + TimeDelta::milliseconds(api.timeout_ms) + CLAIM_MARGIN;
        let claimed =
            external_quantity::claim(db, tenant, &outdated, Claim { began, fresh_since, until }).await?;
        let ours = stocks.into_iter().filter(|stock| claimed.contains(&stock.id)).collect();
        ask_claimed(state, owner, &api, ours, deadline).await?;
        loop {
            stored_rows = external_quantity::load(db, tenant, &ids).await?;
            let is_claimed = |id: &i64| {
                stored_rows.get(id).is_some_and(|row| row.claimed_until.is_some_and(|until| until > now()))
            };
            if !outdated.iter().any(is_claimed) || Instant::now() >= deadline {
                break;
            }
            sleep(POLL_INTERVAL).await;
        }
    }
    let mut answers = LiveAnswers::default();
    for id in ids {
        let row = stored_rows.get(&id);
        let is_live = row.is_some_and(is_fresh);
        if let Some(last_known) = row.and_then(KnownQuantity::last_known) {
            answers.quantities.insert(id, ExternalQuantity { is_live, ..last_known });
        }
        if !is_live {
            let failed = row.filter(|row| row.failed_at.is_some_and(|failed| failed >= began));
            let reason = paused.clone().or_else(|| failed.and_then(KnownQuantity::message));
            let host_silent = || codes::HOST_SILENT.with("host", api.host());
            answers.reasons.insert(id, reason.unwrap_or_else(host_silent));
        }
    }
    Ok(answers)
}

/// Requests stocks that this process has claimed, and stores each answer.
async fn ask_claimed(
    state: &State,
    owner: &Scope,
    api: &ExternalApi,
    stocks: Vec<Stock>,
    deadline: Instant,
) -> Result<()> {
    if stocks.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = stocks.iter().map(|stock| stock.id).collect();
    let target = saved_target(&state.keys, api);
    let (target, endpoint) = match (target, &api.availability) {
        (Ok(target), Some(endpoint)) => (target, endpoint),
        (target, _) => {
            let message = target.err().map_or(codes::API_NOT_CONFIGURED.into(), values::Error::into_message);
            let failed: Vec<StockAnswer> = ids.into_iter().map(|id| (id, Err(message.clone()))).collect();
            return external_quantity::store(&state.db, api.tenant_id, failed, now()).await;
        }
    };
    let questions = questions(state, owner, stocks).await?;
    let groups = grouped(endpoint, questions);
    let calls = groups.into_iter().map(|group| ask_group(state, api, &target, endpoint, group, deadline));
    stream::iter(calls).buffer_unordered(CALLS_AT_ONCE).try_collect::<Vec<()>>().await?;
    Ok(())
}

/// Sends one call and stores its answer.
async fn ask_group(
    state: &State,
    api: &ExternalApi,
    target: &ApiTarget,
    endpoint: &AvailabilityEndpoint,
    group: Vec<StockQuestion>,
    deadline: Instant,
) -> Result<()> {
    let asker = Asker { db: &state.db, outbound: &state.outbound, caller: &state.external_apis };
    let lines: Vec<_> = group.iter().map(|question| question.line.clone()).collect();
    let answer = if Instant::now() >= deadline {
        Err(codes::API_TIME_LIMIT.into())
    } else {
        asker.ask(api, target, endpoint, &lines, deadline).await?
    };
    let answer_for = |question: &StockQuestion| {
        let StockQuestion { detail, line } = question;
        let article = &detail.article;
        let quantity = answer.as_ref().map_err(Clone::clone).and_then(|lines| {
            let line = line_for(endpoint, lines, line)?;
            let unit = line.unit.unwrap_or(article.base_unit);
            let quantity = line.quantity.unwrap_or_default();
            article.convert(quantity, unit, article.base_unit).ok_or_else(|| not_counted(article, unit))
        });
        (detail.stock.id, quantity)
    };
    let answers: Vec<StockAnswer> = group.iter().map(answer_for).collect();
    external_quantity::store(&state.db, api.tenant_id, answers, now()).await
}

/// Builds the questions for stocks, with the other system's numbers where matchings have them.
async fn questions(state: &State, owner: &Scope, stocks: Vec<Stock>) -> Result<Vec<StockQuestion>> {
    let details = stock::detailed(&state.db, owner, stocks).await?;
    let places =
        warehouse_identifiers(&state.db, owner, details.iter().map(|detail| detail.warehouse.id)).await?;
    let question = |detail: StockDetail| {
        let number = detail.external_article_number.as_ref().unwrap_or(&detail.article.article_number);
        let warehouse = places.get(&detail.warehouse.id).unwrap_or(&detail.warehouse.short_code);
        let line = QuestionLine { article_number: number.clone(), warehouse: warehouse.clone() };
        StockQuestion { detail, line }
    };
    Ok(details.into_iter().map(question).collect())
}

/// Groups questions into calls: each with the maximum number of lines, and for one warehouse if the call
/// names one.
fn grouped(endpoint: &AvailabilityEndpoint, mut questions: Vec<StockQuestion>) -> Vec<Vec<StockQuestion>> {
    let lines_max = usize::try_from(endpoint.lines_max).unwrap_or(1).max(1);
    let by_warehouse = is_for_one_warehouse(endpoint);
    if by_warehouse {
        questions.sort_by(|a, b| a.line.warehouse.cmp(&b.line.warehouse));
    }
    let mut groups: Vec<Vec<StockQuestion>> = Vec::new();
    for question in questions {
        let fits = |group: &&mut Vec<StockQuestion>| {
            let is_same = group.last().is_some_and(|last| last.line.warehouse == question.line.warehouse);
            group.len() < lines_max && (is_same || !by_warehouse)
        };
        match groups.last_mut().filter(fits) {
            Some(group) => group.push(question),
            None => groups.push(vec![question]),
        }
    }
    groups
}
