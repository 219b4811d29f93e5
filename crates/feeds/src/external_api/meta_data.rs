//! Lists of articles, warehouses and companies that another system offers, as one document for an import.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::Instant;
use values::{Message, Result};

use super::{
    ExternalApi,
    call::{ApiFailure, ApiRequest},
    call_log::{CallPurpose, CallReport},
    connection_state::{self, ListTags},
    fields::{EndpointName, ListEndpoint},
    quantities::{Asker, PagesRead},
    reading::{self, ListEntry},
    target::ApiTarget,
};

/// The time of all calls for a document.
pub const FETCH_WITHIN: Duration = Duration::from_mins(1);

/// The lists that have changed since their tags were named, as the document of an import.
#[derive(Debug, Clone)]
pub struct FetchedDocument {
    pub document: Value,
    /// The tags of all lists.
    pub tags: ListTags,
}

impl FetchedDocument {
    /// True if no list has changed.
    pub fn is_unchanged(&self) -> bool {
        self.document.as_object().is_some_and(Map::is_empty)
    }
}

impl Asker<'_> {
    /// Fetches the lists of an API that have changed. An entry without a number stays in the document, where
    /// the import reports it. A list of several pages has no tag and is always read whole: a tag is of one
    /// page.
    ///
    /// # Errors Faults of the database. A failure of a call is the inner error: a part of the lists is of no
    /// use.
    pub async fn fetch_document(
        &self,
        api: &ExternalApi,
        target: &ApiTarget,
        last_tags: &ListTags,
    ) -> Result<Result<FetchedDocument, Message>> {
        let deadline = Instant::now() + FETCH_WITHIN;
        let mut document = Map::new();
        let mut tags = ListTags { version: api.version, lists: Vec::new() };
        for (name, endpoint) in api.meta_data.iter() {
            let request = match target.url(&endpoint.path) {
                Ok(url) => {
                    let if_none_match = last_tags.get(name).map(str::to_owned);
                    ApiRequest { if_none_match, ..ApiRequest::get(url) }
                }
                Err(error) => return Ok(Err(error.into_message())),
            };
            if let Err(message) = connection_state::admit(self.db, api).await? {
                return Ok(Err(message));
            }
            let began = Instant::now();
            let (mut status, mut entries) = (None, Vec::new());
            let outcome =
                self.fetch_list(target, endpoint, &request, deadline, &mut status, &mut entries).await;
            let failure = outcome.as_ref().err();
            let report = CallReport {
                purpose: CallPurpose::MetaData,
                method: request.method.as_str(),
                url: &request.url,
                status,
                duration: began.elapsed(),
                lines: entries.len(),
                failure: failure.map(|failure| &failure.message),
            };
            self.record_call(api, failure, report).await?;
            match outcome {
                Err(failure) => return Ok(Err(failure.message)),
                Ok(PagesRead::Unchanged) => {
                    tags.lists.extend(request.if_none_match.map(|tag| (name, tag)));
                    continue;
                }
                Ok(PagesRead::Whole { tag }) => tags.lists.extend(tag.map(|tag| (name, tag))),
            }
            let (list, number) = members(name);
            document
                .insert(list.to_owned(), entries.into_iter().map(|entry| member(number, entry)).collect());
        }
        Ok(Ok(FetchedDocument { document: Value::Object(document), tags }))
    }

    async fn fetch_list(
        &self,
        target: &ApiTarget,
        endpoint: &ListEndpoint,
        request: &ApiRequest,
        deadline: Instant,
        status: &mut Option<u16>,
        entries: &mut Vec<ListEntry>,
    ) -> Result<PagesRead, ApiFailure> {
        let next_page = endpoint.next_page.as_deref();
        self.read_pages(target, request, next_page, deadline, status, |answer| {
            entries.extend(reading::read_list(endpoint, answer)?);
            Ok(())
        })
        .await
    }
}

/// Member of the document with a list, and the member of its entries with the number.
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
