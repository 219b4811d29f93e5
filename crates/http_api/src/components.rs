//! Deduplication of the contract: parameters, bodies and answers that several operations share become
//! components of the document, which operations refer to.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::StatusCode;
use serde::Serialize;
use utoipa::openapi::{
    Components, Content, OpenApi, PathItem, Ref, RefOr, Response,
    path::{Operation, Parameter},
    request_body::RequestBody,
};

/// Moves definitions that at least two operations share into the components.
pub(super) fn share(document: &mut OpenApi) {
    let mut parameters = Shared::default();
    let mut bodies = Shared::default();
    let mut responses = Shared::default();
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        let tag = tag(operation);
        for parameter in own_parameters(operation) {
            parameters.count(&parameter_name(parameter), parameter, &tag);
        }
        if let Some((name, body)) = own_body(operation) {
            bodies.count(&name, body, &tag);
        }
        for (name, response) in own_responses(operation) {
            responses.count(&name, response, &tag);
        }
    }
    let parameters = parameters.names();
    let bodies = bodies.names();
    let responses = responses.names();
    let components = document.components.get_or_insert_with(Components::new);
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(own) = parameter
                && let Some(name) = parameters.get(&text(own))
            {
                let reference = Ref::new(format!("#/components/parameters/{name}"));
                let own = std::mem::replace(parameter, RefOr::Ref(reference));
                components.parameters.insert(name.clone(), own);
            }
        }
        if let Some(body) = &mut operation.request_body
            && let RefOr::T(own) = body
            && let Some(name) = bodies.get(&text(own))
        {
            let reference = Ref::new(format!("#/components/requestBodies/{name}"));
            let own = std::mem::replace(body, RefOr::Ref(reference));
            components.request_bodies.insert(name.clone(), own);
        }
        for response in operation.responses.responses.values_mut() {
            if let RefOr::T(own) = response
                && let Some(name) = responses.get(&text(own))
            {
                let reference = Ref::new(format!("#/components/responses/{name}"));
                let own = std::mem::replace(response, RefOr::Ref(reference));
                components.responses.insert(name.clone(), own);
            }
        }
    }
}

/// Descriptions by their text.
#[derive(Default)]
struct Shared(BTreeMap<String, Use>);

#[derive(Default)]
struct Use {
    name: String,
    count: usize,
    tags: BTreeSet<String>,
}

impl Shared {
    fn count(&mut self, name: &str, description: &impl Serialize, tag: &str) {
        let used = self.0.entry(text(description)).or_default();
        name.clone_into(&mut used.name);
        used.count += 1;
        used.tags.insert(tag.to_owned());
    }

    /// Returns the names of descriptions that are used more than once, by their text. Of several with one
    /// name, the one in most tags gets it; one that belongs to a single tag is prefixed with the tag; others
    /// are numbered.
    fn names(self) -> BTreeMap<String, String> {
        let mut shared: Vec<(String, Use)> = self.0.into_iter().filter(|(_, used)| used.count > 1).collect();
        shared.sort_by(|(text, one), (other_text, other)| {
            other.tags.len().cmp(&one.tags.len()).then_with(|| text.cmp(other_text))
        });
        let mut taken_names = BTreeSet::new();
        let named_texts = shared.into_iter().map(|(text, Use { name, tags, .. })| {
            let of_tag = tags.first().filter(|_| tags.len() == 1).map(|tag| format!("{tag}.{name}"));
            let numbered = (2..).map(|number| format!("{name}.{number}"));
            let mut names = of_tag.into_iter().chain([name.clone()]).chain(numbered);
            let name = names.find(|name| taken_names.insert(name.clone())).unwrap_or_default();
            (text, name)
        });
        named_texts.collect()
    }
}

fn text(description: &impl Serialize) -> String {
    serde_json::to_string(description).expect("a description is plain data")
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, post, put, patch, delete, .. } = item;
    [get, post, put, patch, delete].into_iter().flatten()
}

fn tag(operation: &Operation) -> String {
    operation.tags.iter().flatten().next().cloned().unwrap_or_default()
}

fn own_parameters(operation: &Operation) -> impl Iterator<Item = &Parameter> {
    operation.parameters.iter().flatten().filter_map(|parameter| match parameter {
        RefOr::T(own) => Some(own),
        RefOr::Ref(_) => None,
    })
}

/// Name of a component for a parameter, which cannot have brackets: `filter.name_not_equals`.
fn parameter_name(parameter: &Parameter) -> String {
    parameter.name.replace('[', ".").replace(']', "")
}

/// Returns the body of an operation, by its content.
fn own_body(operation: &Operation) -> Option<(String, &RequestBody)> {
    match operation.request_body.as_ref()? {
        RefOr::T(own) => Some((name_of(&own.content)?, own)),
        RefOr::Ref(_) => None,
    }
}

/// Returns the name of the schema of a content.
fn name_of<'c>(content: impl IntoIterator<Item = (&'c String, &'c RefOr<Content>)>) -> Option<String> {
    content.into_iter().find_map(|(_, content)| match content {
        RefOr::T(Content { schema: Some(RefOr::Ref(schema)), .. }) => {
            schema.ref_location.rsplit('/').next().map(str::to_owned)
        }
        _ => None,
    })
}

/// Returns responses by the schemas of their contents; refusals and answers without a body by the names of
/// their statuses.
fn own_responses(operation: &Operation) -> impl Iterator<Item = (String, &Response)> {
    operation.responses.responses.iter().filter_map(|(status, response)| {
        let status = StatusCode::from_bytes(status.as_bytes()).ok()?;
        let RefOr::T(own) = response else { return None };
        let name = match own.content.keys().next() {
            Some(media_type) if status.is_success() => {
                let bytes = if media_type.starts_with("image/") { "Picture" } else { "File" };
                name_of(&own.content).unwrap_or_else(|| bytes.to_owned())
            }
            _ => status.canonical_reason().unwrap_or_default().replace([' ', '-'], ""),
        };
        Some((name, own))
    })
}
