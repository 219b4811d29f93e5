//! Publication of operations: access, parameters, body and answers are documented from the handler's types.

use std::collections::BTreeMap;

use actix_web::{FromRequest, Handler, HttpResponse, Responder, Route, guard, http::header::ALLOW, web};
use identity::ability::{self, Ability};
use utoipa::{
    ToSchema,
    openapi::{
        Components, ComponentsBuilder, ContactBuilder, HttpMethod, InfoBuilder, License, OpenApi,
        OpenApiBuilder, PathItem, Paths, Ref, Response,
        extensions::Extensions,
        path::Operation,
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
        server::ServerBuilder,
        tag::{Tag, TagBuilder},
    },
};
use values::Class;

use crate::{
    access::{Access, Rule},
    answer::{ShowsRecords, Success},
    codes, components,
    contract::{self, Schemas, TENANT, refuses, response},
    deprecation::Deprecation,
    examples, if_match,
    input::Input,
    problem::{Problem, Refusal},
    property_descriptions, refusals,
};

/// Parameters of a handler: its access first, followed by its inputs.
pub trait Signature {
    const RULE: Rule;
    fn describe(operation: &mut Operation, schemas: &mut Schemas);
}

macro_rules! signatures {
    ($($input:ident)*) => {
        impl<A: Access, $($input: Input),*> Signature for (A, $($input,)*) {
            const RULE: Rule = A::RULE;

            #[allow(unused_variables, clippy::allow_attributes, reason = "a handler may have no input")]
            fn describe(operation: &mut Operation, schemas: &mut Schemas) {
                $($input::describe(operation, schemas);)*
                if A::FOR_A_TENANT {
                    let about = "Tenant for which a user without a tenant acts";
                    contract::query_parameter(operation, TENANT, about, contract::integer());
                }
            }
        }
    };
}

/// Handler that documents itself: access and inputs by its parameters, the answer by its result.
pub trait PublishedHandler<Args>: Copy + Send + Sync + 'static {
    const RULE: Rule;
    fn describe(operation: &mut Operation, schemas: &mut Schemas);
    fn route(self, route: Route) -> Route;
}

impl<F, Args, Output> PublishedHandler<Args> for F
where
    F: Handler<Args, Output = Answer<Output>> + Copy + Send + Sync,
    Args: Signature + FromRequest + 'static,
    Output: Success + Responder + 'static,
{
    const RULE: Rule = Args::RULE;

    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        Args::describe(operation, schemas);
        Output::describe(operation, schemas);
    }

    fn route(self, route: Route) -> Route {
        route.to(self)
    }
}

signatures! {}
signatures! { B }
signatures! { B C }
signatures! { B C D }
signatures! { B C D E }
signatures! { B C D E F }

/// Result of a handler.
pub type Answer<T> = Result<T, Refusal>;

/// Texts of the OpenAPI document that belong to no single operation.
#[derive(Debug, Default)]
pub struct DocumentTexts {
    /// Groups of operations in the order in which they are shown, with a sentence about each.
    pub tags: &'static [(&'static str, &'static str)],
    /// Lines with a name or `Schema.name`, a tab and a sentence.
    pub property_descriptions: &'static str,
}

impl DocumentTexts {
    fn tags(&self) -> impl Iterator<Item = Tag> {
        self.tags.iter().map(|(name, about)| TagBuilder::new().name(*name).description(Some(*about)).build())
    }
}

/// All published operations.
pub struct Routes {
    /// Routes by path, so that another method is answered with 405 and literal paths come before `{id}`.
    resources: BTreeMap<String, Vec<Box<dyn Fn() -> Route + Send + Sync>>>,
    paths: BTreeMap<String, PathItem>,
    schemas: Schemas,
    /// Access rules by operation, with true if it only reads.
    permissions: BTreeMap<String, (Rule, bool)>,
    deprecated: &'static [Deprecation],
}

impl std::fmt::Debug for Routes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.resources.keys()).finish()
    }
}

impl Routes {
    /// Creates an empty collection; operations that will be removed are declared here.
    pub fn with_deprecated(deprecated: &'static [Deprecation]) -> Self {
        let (resources, paths, permissions) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { resources, paths, schemas: Schemas::default(), permissions, deprecated }
    }

    /// Publishes a handler; `tag` is the resource's name. Use [`crate::publish!`].
    ///
    /// # Panics
    /// When the operation is published twice.
    pub fn publish<Doc: utoipa::Path, H: PublishedHandler<Args>, Args>(
        &mut self,
        tag: &str,
        name: &str,
        handler: H,
    ) {
        let method = Doc::methods().into_iter().next().unwrap_or(HttpMethod::Get);
        self.add(method, Doc::path(), Doc::operation(), tag, name, handler);
    }

    /// Publishes a handler with a documentation that no macro has generated.
    ///
    /// # Panics
    /// If the operation is published twice.
    pub fn add<H: PublishedHandler<Args>, Args>(
        &mut self,
        method: HttpMethod,
        path: String,
        mut operation: Operation,
        tag: &str,
        name: &str,
        handler: H,
    ) {
        let id = format!("{tag}.{name}");
        operation.tags = Some(vec![tag.to_owned()]);
        operation.operation_id = Some(id.clone());
        H::describe(&mut operation, &mut self.schemas);
        let reading = method == HttpMethod::Get;
        self.document_access(H::RULE, reading, &path, &mut operation);
        if matches!(H::RULE, Rule::Permission(..)) && method != HttpMethod::Get {
            let about = refusals::with_codes("Conflict with the present records", Class::Conflict);
            refuses(&mut operation, &mut self.schemas, "409", &about);
        }
        refusals::describe(&mut operation, H::RULE, &path, &method);
        if path.ends_with('}') && self.schemas.answer_has(&operation, "version") {
            if_match::describe(&mut operation, &method);
        }
        let deprecation = Deprecation::find(self.deprecated, &id);
        if let Some(deprecation) = deprecation {
            deprecation.describe(&mut operation);
        }
        let refused = Ref::new(format!("#/components/responses/{REFUSED}"));
        operation.responses.responses.insert("default".to_owned(), refused.into());
        let previous = self.permissions.insert(id, (H::RULE, reading));
        assert!(previous.is_none(), "{tag}.{name} is published twice");

        let item = self.paths.entry(path.clone()).or_default();
        let slot = match method {
            HttpMethod::Post => &mut item.post,
            HttpMethod::Put => &mut item.put,
            HttpMethod::Delete => &mut item.delete,
            HttpMethod::Patch => &mut item.patch,
            _ => &mut item.get,
        };
        *slot = Some(operation);
        self.resources.entry(path).or_default().push(Box::new(move || {
            let route = match method {
                HttpMethod::Post => web::post(),
                HttpMethod::Put => web::put(),
                HttpMethod::Delete => web::delete(),
                HttpMethod::Patch => web::patch(),
                _ => reads(),
            };
            let route = handler.route(route);
            match deprecation {
                Some(deprecation) => deprecation.add_headers(route),
                None => route,
            }
        }));
    }

    fn document_access(&mut self, rule: Rule, reading: bool, path: &str, operation: &mut Operation) {
        if rule == Rule::Public {
            operation.security = Some(Vec::new());
            return;
        }
        let abilities = rule.abilities(reading);
        let alternatives = alternatives(abilities.as_deref());
        operation.security =
            (alternatives != self::alternatives(Some(&[Ability::AccessAdmin]))).then_some(alternatives);
        match rule {
            Rule::Permission(permission, _) => {
                operation.extensions = Some(Extensions::from_iter([("x-permission", permission.as_str())]));
            }
            Rule::AnyOf(permissions, _) => {
                let names: Vec<_> = permissions.iter().map(|permission| permission.as_str()).collect();
                operation.extensions = Some(Extensions::from_iter([("x-any-permission", names)]));
            }
            Rule::Public | Rule::SignedIn(_) => {}
        }
        if path.contains('{') {
            refuses(
                operation,
                &mut self.schemas,
                "404",
                "The record does not exist or belongs to another tenant",
            );
        }
    }

    /// Builds the OpenAPI document, with its texts that belong to no single operation.
    pub fn document(&self, texts: &DocumentTexts) -> OpenApi {
        let mut paths = Paths::new();
        paths.paths = self.paths.clone().into_iter().collect();
        let components: Components = ComponentsBuilder::new()
            .schemas_from_iter(self.schemas.all())
            .response(REFUSED, refused_response())
            .security_scheme(SESSION, bearer("Session opened with `POST /api/sessions`; it has the permissions of the user."))
            .security_scheme(
                TOKEN,
                bearer(
                    "Personal access token `pat_…`. It can do what both its abilities and the permissions of its owner \
                     allow: the `x-permission` of the operation, or one of its `x-any-permission`. An operation without \
                     this scheme is for people only.",
                ),
            )
            .build();
        let mut license = License::new("MIT OR Apache-2.0");
        license.identifier = Some("MIT OR Apache-2.0".to_owned());
        let info = InfoBuilder::new()
            .title("Stalhof")
            .version(env!("CARGO_PKG_VERSION"))
            .description(Some("Admin back-office of a B2B trade platform for steel-like articles."))
            .license(Some(license))
            .contact(Some(ContactBuilder::new().name(Some("The operator of the installation")).build()))
            .build();
        let server = ServerBuilder::new().url("/").description(Some("Server of this document"));
        let mut document = OpenApiBuilder::new()
            .info(info)
            .paths(paths)
            .components(Some(components))
            .servers(Some([server.build()]))
            .tags(Some(texts.tags()))
            .security(Some(alternatives(Some(&[Ability::AccessAdmin]))))
            .build();
        refusals::compose(&mut document);
        examples::compose(&mut document);
        property_descriptions::add(&mut document, texts.property_descriptions);
        components::share(&mut document);
        document
    }

    /// Lists all operations with their access rules and the abilities by which a token gets access:
    /// `articles.create article.create access-admin`.
    pub fn permissions(&self) -> String {
        self.permissions
            .iter()
            .flat_map(|(operation, (rule, reading))| {
                [operation.clone(), " ".to_owned(), describe_access(*rule, *reading), "\n".to_owned()]
            })
            .collect()
    }

    /// Mounts all published operations.
    #[expect(clippy::disallowed_methods, reason = "the one place that mounts")]
    pub fn configure(&self, config: &mut web::ServiceConfig) {
        for (path, routes) in &self.resources {
            let resource = web::resource(path.as_str());
            let resource = routes.iter().fold(resource, |resource, route| resource.route(route()));
            let record = self.paths.get(&format!("{path}/{{id}}"));
            let shows_records = record.is_some_and(|record| record.get.is_some());
            let resource = if shows_records { resource.app_data(ShowsRecords) } else { resource };
            let allowed = self.paths.get(path).map(methods).unwrap_or_default();
            let refuse = move || std::future::ready(method_not_allowed(&allowed));
            config.service(resource.default_service(web::to(refuse)));
        }
    }
}

/// Route of a reading operation: HEAD is answered like GET, without the body.
#[expect(clippy::disallowed_methods, reason = "for those that mount")]
pub fn reads() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

/// Names of the security schemes.
const SESSION: &str = "session";
const TOKEN: &str = "token";

/// Alternatives for authentication: a session, and a token with one of these abilities, or with any.
fn alternatives(abilities: Option<&[Ability]>) -> Vec<SecurityRequirement> {
    let token = |ability: &Ability| SecurityRequirement::new(TOKEN, [ability.as_str()]);
    let tokens = match abilities {
        None => vec![SecurityRequirement::new(TOKEN, [""; 0])],
        Some(abilities) => abilities.iter().map(token).collect(),
    };
    std::iter::once(SecurityRequirement::new(SESSION, [""; 0])).chain(tokens).collect()
}

/// Name of the refusal that every operation may answer with.
const REFUSED: &str = "Refused";

fn refused_response() -> Response {
    let about = "Refusal for another reason, given in `code`; 500 is a fault of the server.";
    response(about, Some(("application/json", Ref::from_schema_name(Problem::name()).into())))
}

fn bearer(description: &str) -> SecurityScheme {
    let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(description));
    SecurityScheme::Http(scheme.build())
}

/// Formats an access rule: `article.create access-admin`.
fn describe_access(rule: Rule, reading: bool) -> String {
    let demanded = match rule {
        Rule::Public => return "public".to_owned(),
        Rule::SignedIn(_) => "signed-in".to_owned(),
        Rule::Permission(permission, _) => permission.as_str().to_owned(),
        Rule::AnyOf(permissions, _) => {
            permissions.iter().map(|permission| permission.as_str()).collect::<Vec<_>>().join("|")
        }
    };
    let tokens = match rule.abilities(reading) {
        None => "any-token".to_owned(),
        Some(none) if none.is_empty() => "no-token".to_owned(),
        Some(abilities) => ability::names(&abilities, ","),
    };
    format!("{demanded} {tokens}")
}

/// Formats the methods of a path: `GET, HEAD, PUT`.
fn methods(item: &PathItem) -> String {
    let operations = [
        ("GET", &item.get),
        ("HEAD", &item.get),
        ("POST", &item.post),
        ("PUT", &item.put),
        ("PATCH", &item.patch),
        ("DELETE", &item.delete),
    ];
    let published = operations.iter().filter(|(_, operation)| operation.is_some());
    published.map(|(method, _)| *method).collect::<Vec<_>>().join(", ")
}

fn method_not_allowed(allowed: &str) -> HttpResponse {
    let mut response = HttpResponse::from_error(Refusal::from(codes::METHOD_NOT_ALLOWED));
    if let Ok(allowed) = allowed.try_into() {
        response.headers_mut().insert(ALLOW, allowed);
    }
    response
}

/// Publishes handlers with the documentation that `#[utoipa::path]` generates for each.
///
/// `publish!(routes, Articles: preview, quantities)` uses the resource's name; others have a name of their own:
/// `publish!(routes, "units": list)`.
#[macro_export]
macro_rules! publish {
    ($routes:expr, $tag:literal: $($handler:ident),* $(,)?) => {
        $($crate::pastey::paste! { $routes.publish::<[<__path_ $handler>], _, _>($tag, stringify!($handler), $handler); })*
    };
    ($routes:expr, $table:ident: $($handler:ident),* $(,)?) => {
        let tag = <$table as store::Recorded>::RESOURCE.name;
        $($crate::pastey::paste! { $routes.publish::<[<__path_ $handler>], _, _>(tag, stringify!($handler), $handler); })*
    };
}
