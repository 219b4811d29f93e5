//! Tests of templates: cases shared with the frontend, and properties of any text.

use proptest::prelude::*;
use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
struct File {
    slots: Vec<TestSlot>,
    material: Texts,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct TestSlot {
    placeholder: String,
    unit: Option<Unit>,
    number: Option<String>,
    name: Option<String>,
    base: Option<Decimal>,
}

#[derive(Deserialize)]
struct Texts {
    number: String,
    name: String,
}

#[derive(Deserialize)]
struct Case {
    template: String,
    number: Option<String>,
    name: Option<String>,
    #[serde(default)]
    errors: Vec<String>,
}

fn bound(text: &str, slots: &[Slot<'_>]) -> Result<Bound, Vec<Message>> {
    Template::parse(text)?.bind(slots)
}

#[test]
fn templates_are_read_and_rendered() {
    let File { slots, material, cases } = crate::testdata::read("template.json");
    let words = [Slot { placeholder: MATERIAL, unit: None }];
    let all_slots = slots.iter().map(|slot| Slot { placeholder: &slot.placeholder, unit: slot.unit });
    let all_slots: Vec<_> = all_slots.chain(words).collect();
    for case in cases {
        let template = &case.template;
        let bound = match bound(template, &all_slots) {
            Ok(bound) => bound,
            Err(faults) => {
                let codes: Vec<_> = faults.iter().map(|fault| fault.code.as_str()).collect();
                assert_eq!(codes, case.errors, "{template}");
                continue;
            }
        };
        assert!(case.errors.is_empty(), "{template}");
        let rendered = |sign, material: &str, text: fn(&TestSlot) -> &Option<String>| {
            let content = |index: usize| {
                let Some(slot) = slots.get(index) else { return Some(Content::Text(material)) };
                text(slot).as_deref().map(Content::Text).or(slot.base.map(Content::Number))
            };
            bound.render(sign, content).ok()
        };
        assert_eq!(
            rendered(DecimalSign::Point, &material.number, |slot| &slot.number),
            case.number,
            "{template}"
        );
        assert_eq!(rendered(DecimalSign::Comma, &material.name, |slot| &slot.name), case.name, "{template}");
    }
}

#[test]
fn template_errors_name_the_position_or_placeholder() {
    let text = |template: &str| {
        let faults = bound(template, &[Slot { placeholder: "laenge", unit: Some(Unit::Metre) }]).unwrap_err();
        faults.iter().map(|fault| fault.text(values::Language::En)).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(text("Ø}"), "Unmatched brace at position 2; write a single brace twice");
    assert_eq!(text("{hohe}"), "The placeholder “hohe” does not exist; possible placeholders: laenge");
    assert_eq!(text("{laenge:kg}"), "The unit “kg” does not fit; possible units: mm, cm, dm, m, km");
    assert!(text("{laenge:elle}").starts_with("The placeholder “laenge:elle” has an invalid format"));
}

#[test]
fn a_missing_value_is_reported_with_its_slot() {
    let slots =
        [Slot { placeholder: "laenge", unit: Some(Unit::Metre) }, Slot { placeholder: MATERIAL, unit: None }];
    let bound = bound("{laenge:mm}{material}", &slots).unwrap();
    let render = |material: Option<&'static str>, length| {
        let content = |index| if index == 0 { length } else { material.map(Content::Text) };
        bound.render(DecimalSign::Point, content)
    };
    assert_eq!(render(Some("S235"), None), Err(Gap::Empty(0)));
    assert_eq!(render(None, Some(Content::Number(Decimal::ONE))), Err(Gap::Empty(1)));
    assert_eq!(render(Some("S235"), Some(Content::Number(Decimal::ONE))), Ok("1S235".to_owned()));
}

#[test]
fn a_placeholder_is_renamed_at_every_occurrence() {
    let template = Template::parse("{{hoehe}} {hoehe:mm:1}-{hoehe}-{breite}").unwrap();
    let renamed = template.renamed("hoehe", "steghoehe").to_string();
    assert_eq!(renamed, "{{hoehe}} {steghoehe:mm:1}-{steghoehe}-{breite}");
}

proptest! {
    #[test]
    fn parsing_never_panics(text in r"[{}:a-z0-9_ Øµ\\-]{0,40}") {
        let _ = Template::parse(&text);
    }

    #[test]
    fn parsed_templates_are_printed_and_parsed_back_unchanged(text in r"[{}:hm0-7 Ø]{0,30}") {
        if let Ok(template) = Template::parse(&text) {
            prop_assert_eq!(Template::parse(&template.to_string()), Ok(template));
        }
    }

    #[test]
    fn literal_text_is_rendered_unchanged(text in ".*") {
        let doubled = text.replace('{', "{{").replace('}', "}}");
        let bound = bound(&doubled, &[]).unwrap();
        prop_assert_eq!(bound.render(DecimalSign::Comma, |_| None), Ok(text));
    }
}
