//! Templates of mails, one file for each mail and language.
//!
//! A template has four blocks: `subject`, `button`, and the paragraphs `before` and `after` the button. Blank
//! lines separate paragraphs; other line breaks count as spaces.

use std::sync::LazyLock;

use minijinja::{
    AutoEscape, Captured, Environment, Output, UndefinedBehavior, Value, context, escape_formatter,
};
use values::Language;

/// Subject and both bodies of a mail.
pub(crate) struct RenderedMail {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// Template with its values and the target of the button.
pub(super) struct Letter<'a> {
    template: &'static str,
    link: &'a str,
    values: Value,
}

/// Names and sources of templates in both languages.
macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        [$(
            (concat!("de/", $name), include_str!(concat!("../../templates/de/", $name, ".txt"))),
            (concat!("en/", $name), include_str!(concat!("../../templates/en/", $name, ".txt"))),
        )*]
    };
}

const LAYOUTS: [(&str, &str); 2] = [
    ("layout.txt", include_str!("../../templates/layout.txt")),
    ("layout.html", include_str!("../../templates/layout.html")),
];

const RENDERS: &str = "tests render every template with every form of its mail";

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_formatter(|output, state, value| match state.auto_escape() {
        // the library's own escaping also replaces slashes, which makes links hard to recognise
        AutoEscape::Html if !value.is_safe() => write_escaped(output, value),
        _ => escape_formatter(output, state, value),
    });
    let texts = templates![
        "email_arrived",
        "email_changed",
        "email_dropped",
        "email_restored",
        "feed",
        "frame",
        "import_ended",
        "invitation",
        "password_changed",
        "password_reset",
        "tokens_expire",
        "webhook",
    ];
    for (name, source) in texts.into_iter().chain(LAYOUTS) {
        environment.add_template(name, source).expect(RENDERS);
    }
    environment
});

fn write_escaped(output: &mut Output, value: &Value) -> Result<(), minijinja::Error> {
    Ok(output.write_str(&escaped(&value.to_string()))?)
}

/// Escapes a text for HTML, in elements and attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

impl<'a> Letter<'a> {
    pub(super) fn new(template: &'static str, link: &'a str, values: Value) -> Self {
        Self { template, link, values }
    }

    /// Renders the mail for a reader with this name.
    pub(super) fn render(self, reader: &str, language: Language) -> RenderedMail {
        let mut letter = captured(language, self.template, self.values);
        let mut frame = captured(language, "frame", context! { reader });
        let subject = words(&block(&mut letter, "subject"));
        let values = context! {
            language => code(language),
            subject => &subject,
            greeting => block(&mut frame, "greeting"),
            before => paragraphs(&block(&mut letter, "before")),
            button => block(&mut letter, "button"),
            link => self.link,
            after => paragraphs(&block(&mut letter, "after")),
            fallback => block(&mut frame, "fallback"),
            footer => block(&mut frame, "footer"),
        };
        let [text, html] = LAYOUTS.map(|(layout, _)| {
            ENVIRONMENT.get_template(layout).and_then(|layout| layout.render(&values)).expect(RENDERS) + "\n"
        });
        RenderedMail { subject, text, html }
    }
}

fn code(language: Language) -> &'static str {
    match language {
        Language::De => "de",
        Language::En => "en",
    }
}

fn captured(language: Language, template: &str, values: Value) -> Captured<'static> {
    let name = format!("{}/{template}", code(language));
    ENVIRONMENT.get_template(&name).and_then(|template| template.render_captured(values)).expect(RENDERS)
}

fn block(captured: &mut Captured<'_>, name: &str) -> String {
    captured.with_state_mut(|state| state.render_block(name)).expect(RENDERS)
}

/// Joins lines by single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in text.lines().map(words) {
        match paragraphs.last_mut() {
            Some(last) if last.is_empty() => *last = line,
            Some(last) if !line.is_empty() => {
                last.push(' ');
                last.push_str(&line);
            }
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}
