//! Queries of quantities: one call for some lines, guarded by the breaker and recorded in the log.

use outbound::{Outbound, http::Method};
use serde_json::Value;
use store::Database;
use tokio::time::Instant;
use values::{Message, Result, now};

use super::{
    ExternalApi,
    call::{
        ApiCaller, ApiFailure, ApiRequest, BYTES_MAX, PAGES_MAX, check_status, entity_tag, next_link,
        next_page,
    },
    call_log::{self, CallPurpose, CallReport},
    connection_state,
    fields::AvailabilityEndpoint,
    reading::{self, QuantityLine},
    request_test::quantity_request,
    target::ApiTarget,
    template::QuestionLine,
};
use crate::codes;

/// The parts of a server that questions need.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'a> {
    pub db: &'a Database,
    pub outbound: &'a Outbound,
    pub caller: &'a ApiCaller,
}

/// The outcome of reading all pages: they are as they were, or have been read, with the tag of a single page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PagesRead {
    Unchanged,
    Whole { tag: Option<String> },
}

/// A question that has ended.
#[derive(Default)]
struct QuantitiesAnswer {
    status: Option<u16>,
    lines: Vec<QuantityLine>,
}

impl Asker<'_> {
    /// Queries the quantities of some lines, until the deadline; does nothing while the breaker is open.
    ///
    /// # Errors
    /// Faults of the database. A failure of the call is the inner error.
    pub async fn ask(
        &self,
        api: &ExternalApi,
        target: &ApiTarget,
        endpoint: &AvailabilityEndpoint,
        lines: &[QuestionLine],
        deadline: Instant,
    ) -> Result<Result<Vec<QuantityLine>, Message>> {
        let request = match quantity_request(endpoint, target, lines) {
            Ok(request) => request,
            Err(error) => return Ok(Err(error.into_message())),
        };
        if let Err(message) = connection_state::admit(self.db, api).await? {
            return Ok(Err(message));
        }
        let began = Instant::now();
        let mut fetched = QuantitiesAnswer::default();
        let outcome = self.fetch(target, endpoint, &request, deadline, &mut fetched).await;
        // over there the article is not known; the connection is fine
        let is_unknown = fetched.status == Some(404) && lines.len() == 1 && request.method == Method::GET;
        let failure = outcome.as_ref().err();
        let report = CallReport {
            purpose: CallPurpose::Availability,
            method: request.method.as_str(),
            url: &request.url,
            status: fetched.status,
            duration: began.elapsed(),
            lines: fetched.lines.len(),
            failure: failure.map(|failure| &failure.message),
        };
        self.record_call(api, failure.filter(|_| !is_unknown), report).await?;
        Ok(outcome.map(|()| fetched.lines).map_err(|failure| failure.message))
    }

    /// Records a call that has ended: for the breaker whether it failed, and in the log.
    pub(super) async fn record_call(
        &self,
        api: &ExternalApi,
        failure: Option<&ApiFailure>,
        report: CallReport<'_>,
    ) -> Result<()> {
        let tx = self.db.begin().await?;
        if connection_state::record(&tx, api, failure).await? {
            call_log::add(&tx, api, report).await?;
        }
        tx.commit().await
    }

    async fn fetch(
        &self,
        target: &ApiTarget,
        endpoint: &AvailabilityEndpoint,
        request: &ApiRequest,
        deadline: Instant,
        fetched: &mut QuantitiesAnswer,
    ) -> Result<(), ApiFailure> {
        let QuantitiesAnswer { status, lines } = fetched;
        let next_page = endpoint.next_page.as_deref();
        self.read_pages(target, request, next_page, deadline, status, |answer| {
            lines.extend(reading::read_quantities(endpoint, answer)?);
            Ok(())
        })
        .await
        .map(drop)
    }

    /// Reads an answer with its further pages, which a pointer or the header `Link` leads to. Each page may
    /// take the timeout of a query, and all of them end at the deadline. An answer of one page has a tag for
    /// the next request.
    pub(super) async fn read_pages(
        &self,
        target: &ApiTarget,
        first: &ApiRequest,
        pointer: Option<&str>,
        deadline: Instant,
        status: &mut Option<u16>,
        mut read: impl FnMut(&Value) -> Result<(), Message>,
    ) -> Result<PagesRead, ApiFailure> {
        let mut request = first.clone();
        let mut bytes_left = BYTES_MAX;
        for page in 0..PAGES_MAX {
            let page_deadline = deadline.min(Instant::now() + target.timeout);
            let answered =
                self.caller.send(self.outbound, target, &request, page_deadline, bytes_left).await?;
            let answer = answered.answer;
            *status = Some(answer.status.as_u16());
            if answer.status.as_u16() == 304 && request.if_none_match.is_some() {
                return Ok(PagesRead::Unchanged);
            }
            check_status(&answer, &request.url, now())?;
            bytes_left = bytes_left.saturating_sub(answer.body.len());
            let body = reading::parse_answer(&answer.body)?;
            read(&body)?;
            let next = reading::read_next_page(pointer, &body);
            let Some(next) = next.or_else(|| next_link(&answer.headers)) else {
                let tag = if page == 0 { entity_tag(&answer.headers) } else { None };
                return Ok(PagesRead::Whole { tag });
            };
            let url = next_page(target, &request.url, next)?;
            request = ApiRequest::get(url);
        }
        Err(codes::API_TOO_MANY_PAGES.with("max", PAGES_MAX).into())
    }
}

/// The quantity line that answers a question.
///
/// # Errors
/// A sentence if there is none, more than one, or one with a fault.
pub fn line_for<'a>(
    endpoint: &AvailabilityEndpoint,
    lines: &'a [QuantityLine],
    question: &QuestionLine,
) -> Result<&'a QuantityLine, Message> {
    let is_same = |answer: &Option<String>, expected: &str| {
        answer.as_ref().is_some_and(|text| values::fold(text) == values::fold(expected))
    };
    let mut answers = lines.iter().filter(|line| {
        let of_article =
            endpoint.article_number.is_none() || is_same(&line.article_number, &question.article_number);
        let of_warehouse = endpoint.warehouse.is_none() || is_same(&line.warehouse, &question.warehouse);
        of_article && of_warehouse
    });
    let number = &question.article_number;
    let line = answers.next().ok_or_else(|| codes::API_LINE_MISSING.with("number", number))?;
    if answers.next().is_some() {
        return Err(codes::API_LINE_AMBIGUOUS.with("number", number));
    }
    match &line.fault {
        Some(fault) => Err(fault.clone()),
        None => Ok(line),
    }
}

#[cfg(test)]
mod tests {
    use values::Decimal;

    use super::*;
    use crate::external_api::fields::CallMethod;

    #[test]
    fn a_line_is_found_by_number_and_warehouse_and_must_be_unique() {
        let endpoint = |warehouse: Option<&str>| AvailabilityEndpoint {
            method: CallMethod::Get,
            path: "s?n={article_numbers}".into(),
            body: None,
            lines_max: 10,
            list: None,
            article_number: Some("/n".into()),
            warehouse: warehouse.map(str::to_owned),
            quantity: "/q".into(),
            unit: None,
            unit_if_missing: None,
            next_page: None,
        };
        let line = |number: &str, warehouse: &str, quantity: i32| QuantityLine {
            article_number: Some(number.into()),
            warehouse: Some(warehouse.into()),
            quantity: Some(Decimal::from(quantity)),
            ..QuantityLine::default()
        };
        let broken = QuantityLine { fault: Some(codes::API_UNIT_UNKNOWN.into()), ..line("C", "1", 0) };
        let lines = [line("a", "1", 1), line("A", "2", 2), line("B", "1", 3), broken];
        for (pointer, number, warehouse, expected) in [
            (Some("/w"), "A", "2", Ok(2)),
            (None, "b", "9", Ok(3)),
            (None, "A", "2", Err(codes::API_LINE_AMBIGUOUS)),
            (Some("/w"), "B", "2", Err(codes::API_LINE_MISSING)),
            (None, "C", "1", Err(codes::API_UNIT_UNKNOWN)),
        ] {
            let question = QuestionLine { article_number: number.into(), warehouse: warehouse.into() };
            let answer = line_for(&endpoint(pointer), &lines, &question);
            let answer = answer.map(|line| line.quantity.unwrap()).map_err(|message| message.code);
            assert_eq!(answer, expected.map(Decimal::from), "{number} {warehouse}");
        }
    }
}
