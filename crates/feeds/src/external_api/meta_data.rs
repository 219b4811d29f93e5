//! Lists of articles, warehouses and companies that another system offers, as one document for an import.

use std::time::Duration;

use kernel::{Message, Result};
use outbound::http::Method;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::{
    ExternalApi,
    call::{ApiFailure, ApiRequest},
    call_log::{self, CallPurpose, CallReport},
    connection_state,
    fields::{EndpointName, ListEndpoint},
    quantities::Asker,
    reading::{self, ListEntry},
    target::ApiTarget,
};

/// The time of all calls for a document.
pub const FETCH_WITHIN: Duration = Duration::from_mins(1);

impl Asker<'_> {
    /// Fetches all lists of an API. An entry without a number stays in the document, where the import reports it.
    ///
    /// # Errors
    /// Faults of the database. A failure of a call is the inner error: a part of the lists is of no use.
    pub async fn fetch_document(
        &self,
        api: &ExternalApi,
        target: &ApiTarget,
    ) -> Result<Result<Value, Message>> {
        let deadline = Instant::now() + FETCH_WITHIN;
        let mut document = Map::new();
        for (name, endpoint) in api.meta_data.iter() {
            if let Err(message) = connection_state::admit(self.db, api).await? {
                return Ok(Err(message));
            }
            let request = match target.url(&endpoint.path) {
                Ok(url) => ApiRequest { method: Method::GET, url, body: None },
                Err(error) => return Ok(Err(error.into_message())),
            };
            let began = Instant::now();
            let (mut status, mut entries) = (None, Vec::new());
            let outcome =
                self.fetch_list((target, endpoint, &request), deadline, &mut status, &mut entries).await;
            let failure = outcome.as_ref().err();
            connection_state::record(self.db, api, failure).await?;
            let report = CallReport {
                purpose: CallPurpose::MetaData,
                method: request.method.as_str(),
                url: &request.url,
                status,
                duration: began.elapsed(),
                lines: entries.len(),
                failure: failure.map(|failure| &failure.message),
            };
            call_log::add(self.db, (api.tenant_id, api.id), report).await?;
            if let Err(failure) = outcome {
                return Ok(Err(failure.message));
            }
            let (list, number) = members(name);
            document
                .insert(list.to_owned(), entries.into_iter().map(|entry| member(number, entry)).collect());
        }
        Ok(Ok(Value::Object(document)))
    }

    async fn fetch_list(
        &self,
        (target, endpoint, request): (&ApiTarget, &ListEndpoint, &ApiRequest),
        deadline: Instant,
        status: &mut Option<u16>,
        entries: &mut Vec<ListEntry>,
    ) -> Result<(), ApiFailure> {
        let next_page = endpoint.next_page.as_deref();
        self.read_pages((target, request, next_page), deadline, status, |answer| {
            entries.extend(reading::read_list(endpoint, answer)?);
            Ok(())
        })
        .await
    }
}

/// The member of the document that holds a list, and the member of its entries that holds the number.
fn members(name: EndpointName) -> (&'static str, &'static str) {
    match name {
        EndpointName::Availability | EndpointName::Articles => ("articles", "number"),
        EndpointName::Warehouses => ("warehouses", "identifier"),
        EndpointName::Tenants => ("tenants", "identifier"),
    }
}

fn member(number_member: &str, ListEntry { number, name, gtin, .. }: ListEntry) -> Value {
    let members = [(number_member, number), ("name", name), ("gtin", gtin)];
    let present = members.into_iter().filter_map(|(member, text)| Some((member.to_owned(), json!(text?))));
    Value::Object(present.collect())
}
