//! Validation of a price list's period. A new or changed time is at least five minutes ahead of the server's
//! clock, so that no order can use a list before it has been checked, and in a year with a known calendar.

use chrono::{SubsecRound, TimeDelta};
use chrono_tz::Tz;
use logistics::calendar::{is_in_known_year, unknown_year};
use values::{Instant, Message, Violations, local_time_in, time_zone};

use super::{PriceList, PriceListInput, Status};
use crate::codes;

/// Minimum time until a list begins or ends.
pub(super) const AHEAD: TimeDelta = TimeDelta::minutes(5);

/// Adds the violations of an input's period, and of changes that are no longer possible once the list has
/// begun.
pub(super) fn check(
    before: Option<&PriceList>,
    input: &PriceListInput,
    moment: &Instant,
    violations: &mut Violations,
) {
    let (from, until) =
        (input.valid_from.trunc_subsecs(6), input.valid_until.map(|until| until.trunc_subsecs(6)));
    let begins_anew = before.is_none_or(|before| before.valid_from != from);
    let in_force = before.is_some_and(|before| before.status(moment) != Status::Pending);
    if begins_anew {
        if in_force {
            violations.add("valid_from", codes::FIXED_IN_FORCE);
        } else {
            can_be_set("valid_from", &from, moment, violations);
        }
    }
    if in_force && before.is_some_and(|before| before.r#type != input.r#type) {
        violations.add("type", codes::FIXED_IN_FORCE);
    }
    match (input.limited, until) {
        (true, None) => violations.add("valid_until", codes::REQUIRED),
        (false, Some(_)) => violations.add("valid_until", codes::NOT_LIMITED),
        (false, None) => {}
        (true, Some(until)) => {
            let ends_anew = before.is_none_or(|before| before.valid_until != Some(until));
            if until <= from {
                violations.add("valid_until", codes::ENDS_BEFORE_START);
            } else if ends_anew {
                can_be_set("valid_until", &until, moment, violations);
            }
        }
    }
}

/// Adds a violation if a time is in a year without a known calendar, or too soon.
fn can_be_set(field: &str, at: &Instant, moment: &Instant, violations: &mut Violations) {
    if is_in_known_year(at) {
        check_ahead(field, at, moment, violations);
    } else {
        violations.add(field, unknown_year());
    }
}

/// Adds a violation if a time is too soon.
pub(super) fn check_ahead(field: &str, at: &Instant, moment: &Instant, violations: &mut Violations) {
    let earliest = *moment + AHEAD;
    if *at < earliest {
        violations.add(field, too_soon(&earliest, moment, time_zone()));
    }
}

fn too_soon(earliest: &Instant, moment: &Instant, time_zone: Tz) -> Message {
    // rounded up to whole seconds, which is late enough
    let rounded = earliest.trunc_subsecs(0);
    let rounded = if rounded < *earliest { rounded + TimeDelta::seconds(1) } else { rounded };
    codes::TOO_SOON
        .with("minutes", AHEAD.num_minutes())
        .clock("earliest", local_time_in(time_zone, &rounded))
        .clock("now", local_time_in(time_zone, moment))
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use values::{Code, Language};

    use super::*;
    use crate::price_list::{ListScope, ListType};

    fn at(text: &str) -> Instant {
        DateTime::parse_from_rfc3339(text).unwrap().to_utc()
    }

    fn input(from: Instant, until: Option<Instant>) -> PriceListInput {
        PriceListInput {
            name: "Verkauf".to_owned(),
            customer_name: None,
            announce: false,
            owner_tenant_id: Some(1),
            owner_tenant_group_id: None,
            r#type: ListType::Sales,
            scope: ListScope::Own,
            valid_from: from,
            limited: until.is_some(),
            valid_until: until,
            tenant_ids: vec![],
            tenant_group_ids: vec![],
            excluded_tenant_ids: vec![],
            version: None,
        }
    }

    fn list(from: Instant, until: Option<Instant>) -> PriceList {
        PriceList {
            id: 1,
            owner_tenant_id: Some(values::TenantId(1)),
            owner_tenant_group_id: None,
            name: "Verkauf".to_owned(),
            name_fold: String::new(),
            name_sort: String::new(),
            customer_name: None,
            customer_name_fold: String::new(),
            customer_name_sort: String::new(),
            announce: false,
            r#type: ListType::Sales,
            scope: ListScope::Own,
            valid_from: from,
            valid_until: until,
            price_count: 0,
            version: 1,
            created_at: from,
            updated_at: from,
        }
    }

    fn broken(before: Option<&PriceList>, input: &PriceListInput, moment: Instant) -> Vec<(String, Code)> {
        let mut violations = Violations::new();
        check(before, input, &moment, &mut violations);
        violations.iter().map(|violation| (violation.path.clone(), violation.message.code)).collect()
    }

    #[test]
    fn a_list_starts_and_ends_at_least_five_minutes_ahead() {
        let moment = at("2026-11-24T12:00:00Z");
        let after = |seconds: i64| moment + TimeDelta::seconds(seconds);
        let violations_for = |from, until: Option<i64>| {
            broken(None, &input(after(from), until.map(after)), moment)
                .into_iter()
                .map(|(path, code)| format!("{path} {}", code.as_str()))
                .collect::<Vec<_>>()
        };
        assert_eq!(violations_for(300, None), [""; 0]);
        assert_eq!(violations_for(299, None), ["valid_from too_soon"]);
        assert_eq!(violations_for(300, Some(301)), [""; 0]);
        assert_eq!(violations_for(300, Some(300)), ["valid_until ends_before_start"]);
        assert_eq!(violations_for(300, Some(299)), ["valid_until ends_before_start"]);
        assert_eq!(violations_for(0, Some(299)), ["valid_from too_soon", "valid_until too_soon"]);
    }

    #[test]
    fn unchanged_times_are_not_checked_again_and_active_lists_keep_their_start() {
        let moment = at("2026-11-24T12:00:00Z");
        let (begun, ahead) = (moment - TimeDelta::hours(1), moment + TimeDelta::minutes(2));
        let active = list(begun, Some(ahead));
        assert_eq!(broken(Some(&active), &input(begun, Some(ahead)), moment), []);
        assert_eq!(broken(Some(&active), &input(begun, None), moment), []);
        let sooner = ahead - TimeDelta::seconds(1);
        let refused = broken(Some(&active), &input(begun, Some(sooner)), moment);
        assert_eq!(refused, [("valid_until".to_owned(), codes::TOO_SOON)]);
        let moved = input(moment + TimeDelta::hours(1), None);
        assert_eq!(broken(Some(&active), &moved, moment), [("valid_from".to_owned(), codes::FIXED_IN_FORCE)]);
        // a pending list begins within five minutes, which may stay so
        let pending = list(ahead, None);
        assert_eq!(broken(Some(&pending), &input(ahead, None), moment), []);
        let retyped = PriceListInput { r#type: ListType::Internal, ..input(begun, Some(ahead)) };
        assert_eq!(broken(Some(&active), &retyped, moment), [("type".to_owned(), codes::FIXED_IN_FORCE)]);
        let retyped = PriceListInput { r#type: ListType::Internal, ..input(ahead, None) };
        assert_eq!(broken(Some(&pending), &retyped, moment), []);
    }

    #[test]
    fn an_end_is_required_exactly_for_limited_lists() {
        let moment = at("2026-11-24T12:00:00Z");
        let from = moment + TimeDelta::hours(1);
        let limited = PriceListInput { limited: true, ..input(from, None) };
        assert_eq!(broken(None, &limited, moment), [("valid_until".to_owned(), codes::REQUIRED)]);
        let unlimited = PriceListInput { limited: false, ..input(from, Some(from + TimeDelta::hours(1))) };
        assert_eq!(broken(None, &unlimited, moment), [("valid_until".to_owned(), codes::NOT_LIMITED)]);
    }

    #[test]
    fn years_outside_the_calendar_are_refused() {
        let moment = at("2026-11-24T12:00:00Z");
        let (from, last) = (at("2026-12-01T00:00:00Z"), at("2099-12-31T23:59:59Z"));
        let far: Instant = "+262142-12-31T23:30:00Z".parse().unwrap();
        assert_eq!(broken(None, &input(from, Some(last)), moment), []);
        let beyond = at("2100-01-01T00:00:00Z");
        for beyond in [beyond, far] {
            let refused = |path: &str| (path.to_owned(), codes::INVALID_YEAR);
            assert_eq!(broken(None, &input(beyond, None), moment), [refused("valid_from")]);
            assert_eq!(broken(None, &input(from, Some(beyond)), moment), [refused("valid_until")]);
            // times that were set before the rule existed may stay
            assert_eq!(broken(Some(&list(beyond, None)), &input(beyond, None), moment), []);
            let unchanged_list = list(from, Some(beyond));
            assert_eq!(broken(Some(&unchanged_list), &input(from, Some(beyond)), moment), []);
        }
        let early = at("1999-12-31T23:59:59Z");
        let long_ago = at("1990-01-01T00:00:00Z");
        assert_eq!(
            broken(None, &input(early, None), long_ago),
            [("valid_from".to_owned(), codes::INVALID_YEAR)]
        );
    }

    #[test]
    fn times_are_shown_in_the_time_zone_of_the_installation() {
        let moment = at("2026-11-24T12:00:00Z");
        for (zone, earliest, now) in [
            (Tz::Europe__Berlin, "24.11.2026 13:05:00", "24.11.2026 13:00:00"),
            (Tz::Europe__Lisbon, "24.11.2026 12:05:00", "24.11.2026 12:00:00"),
            (Tz::Asia__Tokyo, "24.11.2026 21:05:00", "24.11.2026 21:00:00"),
        ] {
            let text = too_soon(&(moment + AHEAD), &moment, zone).text(Language::De);
            assert!(text.contains(earliest) && text.contains(now), "{zone}: {text}");
        }
    }

    /// Five minutes stay five minutes when the wall clock goes back at 03:00.
    #[test]
    fn the_five_minutes_are_elapsed_time_across_a_clock_change() {
        let moment = at("2026-10-25T00:58:00Z");
        let earliest = moment + AHEAD;
        assert_eq!(broken(None, &input(earliest, None), moment), []);
        let mut violations = Violations::new();
        check_ahead("valid_from", &(earliest - TimeDelta::seconds(1)), &moment, &mut violations);
        let text = violations.iter().next().unwrap().message.text(Language::De);
        assert!(
            text.contains("25.10.2026 02:03:00 Uhr") && text.contains("25.10.2026 02:58:00 Uhr"),
            "{text}"
        );
    }
}
