//! Counts of records that need the caller's attention and that they can act on, each by a filter that the
//! record's list has too.

use std::{
    borrow::Cow,
    future::{Ready, ready},
    pin::Pin,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use chrono::TimeDelta;
use feeds::{external_api, health};
use http_api::{
    access::{Authorized, InSession},
    answer::{OkJson, Unpaged, ok_json},
    contract::{Schemas, query_parameter, text as text_schema},
    input::{Input, parameters},
    problem::Refusal,
    publish,
    routes::{Answer, Routes},
};
use identity::{token::Tokens, user::Users};
use imports::{import::Imports, unresolved::UnresolvedNumbers};
use lists::{ListQuery, Listed};
use logistics::stock;
use pricing::{held_price::HeldPrices, listing::Listings, sample_cart, surcharge_table};
use serde::{
    Deserialize, Serialize,
    de::{IntoDeserializer, value},
};
use store::{Database, Scope};
use utoipa::{ToSchema, openapi::path::Operation};
use values::{Instant, Permission, Result, Violations, now};

use crate::{
    codes,
    resource::shipping::findings,
    state::{Server, State},
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "attention": view);
}

/// Upper bound of each count.
const COUNT_MAX: u64 = 1_000;

/// Age up to which imports are counted; older ones are not looked after any more.
const RECENT: TimeDelta = TimeDelta::days(7);
/// Age from which stocks and prices count as old; the light of the lists turns red at the same age.
const OLD: TimeDelta = TimeDelta::days(30);
/// Time before their expiry from which tokens are counted; the first mail about it is sent at the same time.
const EXPIRES_WITHIN: TimeDelta = TimeDelta::days(14);

/// Kind of records that need attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Concern {
    /// Imports of the last seven days that applied nothing.
    FailedImports,
    /// Imports of the last seven days with rows that were refused, are under review or have no matching.
    PartialImports,
    /// Prices under review, which look like a mistake and wait for a release.
    HeldPrices,
    /// Sample carts whose total differs from the accepted one or that have no price any more.
    ChangedSampleCarts,
    /// Numbers of other systems in rows or calls that no matching resolves.
    OpenNumbers,
    /// Stocks that have neither changed nor been confirmed by an import for 30 days, among the 10,000 that
    /// have not changed for longest.
    OldStocks,
    /// Prices that have not changed for 30 days.
    OldPrices,
    /// Surcharge tables without values for this month, or for one that begins within a week.
    SurchargesMissing,
    /// Tokens that expire within 14 days: the caller's own, and those of users whom the caller may change.
    ExpiringTokens,
    /// Users whose invitation has expired.
    ExpiredInvitations,
    /// Findings of the network check of shipping.
    ShippingFindings,
    /// Feeds whose file is late, or whose runs or imports fail.
    TroubledFeeds,
    /// External APIs that are not called any more after failures, or whose lists could not be fetched by
    /// schedule.
    TroubledExternalApis,
    /// Webhooks that deliver nothing, or were paused because their receiver accepts no events.
    TroubledWebhooks,
}

/// Requested concerns (`?about=held_prices,open_numbers`); `None` for all.
struct Concerns(Option<Vec<Concern>>);

const ABOUT: &str = "about";

impl FromRequest for Concerns {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let text = parameters(request).into_iter().find(|(name, _)| name == ABOUT).map(|(_, text)| text);
        let read = |text: Cow<'_, str>| {
            let concerns = text.split(',').map(|name| Concern::deserialize(name.into_deserializer()));
            let expected = codes::INVALID_PARAMETER.with("expected", "held_prices,open_numbers");
            concerns
                .collect::<Result<Vec<_>, value::Error>>()
                .map_err(|_| Refusal(Violations::error(ABOUT, expected)))
        };
        ready(text.map(read).transpose().map(Self))
    }
}

impl Input for Concerns {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let about = "Concerns to count, separated by commas; all if omitted";
        query_parameter(operation, ABOUT, about, text_schema());
    }
}

/// Number of records of one kind that need attention.
#[derive(Serialize, ToSchema)]
struct Attention {
    about: Concern,
    /// Number of records, at most 1,000; there may be more.
    #[schema(maximum = 1000, example = 3)]
    count: u64,
}

/// One count, for callers with all these permissions.
struct Line {
    about: Concern,
    needs: &'static [Permission],
    /// True if users without a tenant have to choose one first.
    needs_tenant: bool,
    count: Count,
}

type Count = for<'a> fn(&'a State, &'a Scope, Instant) -> Counting<'a>;
type Counting<'a> = Pin<Box<dyn Future<Output = Result<u64>> + 'a>>;

/// All counts, one for each concern, in the order in which they are shown.
const LINES: &[Line] = &[
    Line {
        about: Concern::FailedImports,
        needs: &[imports::permissions::LIST_IMPORTS, imports::permissions::VIEW_IMPORT],
        needs_tenant: false,
        count: |state, scope, now| {
            count_up_to_max::<Imports>(
                &state.db,
                scope,
                [("filter[status]", "Failed".to_owned()), since(now - RECENT)],
            )
        },
    },
    Line {
        about: Concern::PartialImports,
        needs: &[imports::permissions::LIST_IMPORTS, imports::permissions::VIEW_IMPORT],
        needs_tenant: false,
        count: |state, scope, now| {
            let partial = ("filter[status]", "PartialSuccess".to_owned());
            count_up_to_max::<Imports>(&state.db, scope, [partial, since(now - RECENT)])
        },
    },
    Line {
        about: Concern::HeldPrices,
        needs: &[
            pricing::permissions::LIST_PRICES,
            pricing::permissions::VIEW_PRICE,
            pricing::permissions::UPDATE_PRICE,
        ],
        needs_tenant: true,
        count: |state, scope, _| count_up_to_max::<HeldPrices>(&state.db, scope, []),
    },
    Line {
        about: Concern::ChangedSampleCarts,
        needs: &[
            pricing::permissions::LIST_PRICE_ADJUSTMENTS,
            pricing::permissions::VIEW_PRICE_ADJUSTMENT,
            pricing::permissions::UPDATE_PRICE_ADJUSTMENT,
            pricing::permissions::VIEW_PRICE,
        ],
        needs_tenant: true,
        count: |state, scope, _| Box::pin(sample_cart::surprising(&state.db, scope, state.calculator())),
    },
    Line {
        about: Concern::OpenNumbers,
        needs: &[
            logistics::permissions::LIST_MATCHINGS,
            logistics::permissions::VIEW_MATCHING,
            logistics::permissions::CREATE_MATCHING,
        ],
        needs_tenant: true,
        count: |state, scope, _| {
            let open = ("filter[state]", "open".to_owned());
            count_up_to_max::<UnresolvedNumbers>(
                &state.db,
                scope,
                [open, ("filter[times_greater_than]", "0".to_owned())],
            )
        },
    },
    Line {
        about: Concern::OldStocks,
        needs: &[
            logistics::permissions::LIST_STOCKS,
            logistics::permissions::VIEW_STOCK,
            logistics::permissions::UPDATE_STOCK,
        ],
        needs_tenant: true,
        count: |state, scope, now| Box::pin(stock::counted_old(&state.db, scope, now - OLD, COUNT_MAX)),
    },
    Line {
        about: Concern::OldPrices,
        needs: &[
            pricing::permissions::LIST_PRICES,
            pricing::permissions::VIEW_PRICE,
            pricing::permissions::UPDATE_PRICE,
        ],
        needs_tenant: true,
        count: |state, scope, now| {
            let priced = ("filter[priced]", "true".to_owned());
            count_up_to_max::<Listings>(
                &state.db,
                scope,
                [priced, ("filter[updated_at_lesser_than]", text(now - OLD))],
            )
        },
    },
    Line {
        about: Concern::SurchargesMissing,
        needs: &[
            pricing::permissions::LIST_PRICE_ADJUSTMENTS,
            pricing::permissions::VIEW_PRICE_ADJUSTMENT,
            pricing::permissions::UPDATE_PRICE_ADJUSTMENT,
        ],
        needs_tenant: true,
        count: |state, scope, _| Box::pin(surcharge_table::count_incomplete(&state.db, scope)),
    },
    Line {
        about: Concern::ExpiringTokens,
        needs: &[identity::permissions::LIST_TOKENS, identity::permissions::VIEW_TOKEN],
        needs_tenant: false,
        count: |state, scope, now| {
            let still = ("filter[expires_at_greater_equals]", text(now));
            count_up_to_max::<Tokens>(
                &state.db,
                scope,
                [still, ("filter[expires_at_lesser_than]", text(now + EXPIRES_WITHIN))],
            )
        },
    },
    Line {
        about: Concern::ExpiredInvitations,
        needs: &[
            identity::permissions::LIST_USERS,
            identity::permissions::VIEW_USER,
            identity::permissions::CREATE_USER,
        ],
        needs_tenant: false,
        count: |state, scope, _| {
            count_up_to_max::<Users>(&state.db, scope, [("filter[status]", "InvitationExpired".to_owned())])
        },
    },
    Line {
        about: Concern::ShippingFindings,
        needs: &[
            logistics::permissions::LIST_SHIPPING_NODES,
            logistics::permissions::VIEW_SHIPPING_NODE,
            logistics::permissions::UPDATE_SHIPPING_NODE,
        ],
        needs_tenant: false,
        count: |state, scope, _| {
            Box::pin(async move {
                let (_, findings) = findings::check(state, scope).await?;
                Ok((findings.len() as u64).min(COUNT_MAX))
            })
        },
    },
    Line {
        about: Concern::TroubledFeeds,
        needs: &[feeds::permissions::CONFIGURE_FTP_IMPORT],
        needs_tenant: false,
        count: |state, scope, _| Box::pin(health::count_open(&state.db, scope, COUNT_MAX)),
    },
    Line {
        about: Concern::TroubledExternalApis,
        needs: &[feeds::permissions::CONFIGURE_EXTERNAL_API],
        needs_tenant: false,
        count: |state, scope, _| {
            Box::pin(external_api::connection_state::count_troubled(&state.db, scope, COUNT_MAX))
        },
    },
    Line {
        about: Concern::TroubledWebhooks,
        needs: &[webhooks::permissions::CONFIGURE_WEBHOOKS],
        needs_tenant: false,
        count: |state, scope, _| Box::pin(webhooks::queue::count_troubled(&state.db, scope, COUNT_MAX)),
    },
];

fn text(moment: Instant) -> String {
    moment.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

fn since(moment: Instant) -> (&'static str, String) {
    ("filter[updated_at_greater_equals]", text(moment))
}

fn count_up_to_max<'a, E: Listed + 'static>(
    db: &'a Database,
    scope: &'a Scope,
    filters: impl IntoIterator<Item = (&'static str, String)>,
) -> Counting<'a> {
    let filters: Vec<_> = filters.into_iter().collect();
    Box::pin(async move {
        let query = ListQuery::<E>::parse(filters.iter().map(|(name, value)| (*name, &**value)))?;
        query.counted_up_to(db, scope, COUNT_MAX).await
    })
}

/// Counts the records that need the caller's attention and that they can act on, at most 1,000 of each kind.
/// Counts of one tenant are left out while a user without a tenant has not chosen one.
#[utoipa::path(get, path = "/api/admin/attention")]
async fn view(
    by: InSession<Authorized<values::may::AccessAdmin>>,
    Server(state): Server,
    Concerns(concerns): Concerns,
) -> Answer<OkJson<Unpaged<Attention>>> {
    let (scope, now) = (by.scope(), now());
    let mut data = Vec::new();
    for Line { about, needs, needs_tenant, count } in LINES {
        let is_requested = concerns.as_ref().is_none_or(|concerns| concerns.contains(about));
        let may = needs.iter().all(|needed| scope.may(*needed));
        if is_requested && may && (!needs_tenant || scope.tenant().is_ok()) {
            data.push(Attention { about: *about, count: count(&state, scope, now).await? });
        }
    }
    Ok(ok_json(Unpaged { data }))
}
