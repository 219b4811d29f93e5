//! Operations that will be removed: declared here, and announced by headers of their answers and in the
//! contract.

use actix_web::{Route, http::header::LINK, middleware::DefaultHeaders};
use chrono::{DateTime, TimeDelta, Utc};
use utoipa::openapi::{
    Deprecated, HeaderBuilder, ObjectBuilder, RefOr, header::Header, path::Operation, schema::Type,
};

/// Operation that will be removed.
#[derive(Debug, Clone, Copy)]
pub struct Deprecation {
    /// Id in the contract: `v1.put_stocks`.
    pub operation: &'static str,
    /// Time of its deprecation, in RFC 3339.
    pub since: &'static str,
    /// Time of its removal, in RFC 3339; at least a year later for an operation under `/api/v1`
    /// (`docs/api.md`).
    pub sunset: &'static str,
    /// Replacement, as a sentence.
    pub instead: &'static str,
}

/// Header of RFC 9745.
const DEPRECATION: &str = "Deprecation";
/// Header of RFC 8594.
const SUNSET: &str = "Sunset";
const POLICY: &str = "</docs/>; rel=\"deprecation\"; type=\"text/html\"";

impl Deprecation {
    /// Finds the declaration of an operation.
    pub(super) fn find(among: &'static [Self], operation: &str) -> Option<&'static Self> {
        among.iter().find(|deprecation| deprecation.operation == operation)
    }

    /// Returns the time between deprecation and removal.
    ///
    /// # Panics
    /// If one of the times is invalid.
    pub fn notice_period(&self) -> TimeDelta {
        moment(self.sunset) - moment(self.since)
    }

    /// Adds the headers to all answers of a route.
    pub(super) fn add_headers(&self, route: Route) -> Route {
        let headers = DefaultHeaders::new()
            .add((DEPRECATION, format!("@{}", moment(self.since).timestamp())))
            .add((SUNSET, moment(self.sunset).format("%a, %d %b %Y %H:%M:%S GMT").to_string()))
            .add((LINK, POLICY));
        route.wrap(headers)
    }

    /// Adds the deprecation to the contract.
    pub(super) fn describe(&self, operation: &mut Operation) {
        operation.deprecated = Some(Deprecated::True);
        let day = |moment: DateTime<Utc>| moment.format("%Y-%m-%d").to_string();
        let (since, sunset) = (day(moment(self.since)), day(moment(self.sunset)));
        let text = format!("Deprecated since {since}, removed on {sunset}. {}", self.instead);
        let text =
            operation.description.take().map_or_else(|| text.clone(), |about| format!("{text}\n\n{about}"));
        operation.description = Some(text);
        for response in operation.responses.responses.values_mut() {
            if let RefOr::T(response) = response {
                for (name, about, example) in [
                    (
                        DEPRECATION,
                        "The moment from which it should not be called any more (RFC 9745)",
                        "@1793491200",
                    ),
                    (SUNSET, "The moment at which it is removed (RFC 8594)", "Mon, 01 Nov 2027 00:00:00 GMT"),
                ] {
                    response.headers.insert(name.to_owned(), header(about, example).into());
                }
            }
        }
    }
}

fn header(about: &str, example: &str) -> Header {
    let text = ObjectBuilder::new().schema_type(Type::String).examples([example]);
    HeaderBuilder::new().schema(Some(text)).description(Some(about)).build()
}

/// Parses a time of a declaration.
///
/// # Panics
/// If the text is not a time.
fn moment(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text).expect("a moment in RFC 3339").with_timezone(&Utc)
}

#[cfg(test)]
mod tests {
    use actix_web::{
        App,
        http::StatusCode,
        test::{TestRequest, call_service, init_service},
    };
    use serde::Serialize;
    use utoipa::ToSchema;

    use super::*;
    use crate::{
        access::Public,
        answer::{OkJson, ok_json},
        publish,
        routes::{Answer, DocumentTexts, Routes},
    };

    #[derive(Serialize, ToSchema)]
    struct Weather {
        text: &'static str,
    }

    /// Returns the weather.
    #[utoipa::path(get, path = "/api/v1/weather")]
    async fn weather(_: Public) -> Answer<OkJson<Weather>> {
        Ok(ok_json(Weather { text: "rain" }))
    }

    /// Returns the forecast.
    #[utoipa::path(get, path = "/api/v1/forecast")]
    async fn forecast(_: Public) -> Answer<OkJson<Weather>> {
        Ok(ok_json(Weather { text: "sun" }))
    }

    const OLD: &[Deprecation] = &[Deprecation {
        operation: "sky.weather",
        since: "2026-11-01T00:00:00Z",
        sunset: "2027-11-01T00:00:00Z",
        instead: "Call `sky.forecast`.",
    }];

    fn routes() -> Routes {
        let mut routes = Routes::with_deprecated(OLD);
        publish!(routes, "sky": weather, forecast);
        routes
    }

    #[actix_web::test]
    async fn answers_of_a_deprecated_operation_say_when_it_ends() {
        let routes = routes();
        let app = init_service(App::new().configure(|config| routes.configure(config))).await;
        let old = call_service(&app, TestRequest::get().uri("/api/v1/weather").to_request()).await;
        assert_eq!(old.status(), StatusCode::OK);
        let header = |name: &str| old.headers().get(name).unwrap().to_str().unwrap();
        assert_eq!(header("Deprecation"), "@1793491200");
        assert_eq!(header("Sunset"), "Mon, 01 Nov 2027 00:00:00 GMT");
        assert!(header("Link").contains("rel=\"deprecation\""));
        let new = call_service(&app, TestRequest::get().uri("/api/v1/forecast").to_request()).await;
        assert!(!new.headers().contains_key("Deprecation") && !new.headers().contains_key("Sunset"));
    }

    #[test]
    fn the_contract_marks_deprecated_operations() {
        let document = serde_json::to_value(routes().document(&DocumentTexts::default())).unwrap();
        let get_operation = |path: &str| document["paths"][path]["get"].clone();
        let old = get_operation("/api/v1/weather");
        assert_eq!(old["deprecated"], true);
        let expected = "Deprecated since 2026-11-01, removed on 2027-11-01. Call `sky.forecast`.";
        assert_eq!(old["description"], expected);
        assert!(old["responses"]["200"]["headers"]["Sunset"].is_object());
        assert!(get_operation("/api/v1/forecast")["deprecated"].is_null());
    }
}
