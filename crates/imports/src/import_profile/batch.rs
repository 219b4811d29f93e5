//! Many profiles in one call, as an exported file contains them: all are saved or none.

use std::collections::HashSet;

use serde::Deserialize;
use store::{Database, Scope, scope::refuse_stale};
use utoipa::ToSchema;
use validator::Validate;
use values::{Error, Result, Validated, Violations, fold, tidy};

use super::{
    ActiveModel, ImportProfileInput, ImportProfiles, PROFILES_MAX, build_row, by_name, lock_profiles,
    refuse_more, refuse_other_type,
};
use crate::{codes, registry::Registry};

/// Profiles that are saved together.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ImportProfilesInput {
    #[schema(min_items = 1, max_items = 200)]
    #[validate(length(min = 1, max = PROFILES_MAX), nested)]
    pub profiles: Vec<ImportProfileInput>,
    /// True to replace profiles with the same name; otherwise such a name is refused.
    pub replace: Option<bool>,
}

tidy!(ImportProfilesInput: parts profiles;);

/// Numbers of profiles that were saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavedProfiles {
    pub created: u64,
    pub replaced: u64,
}

/// Saves all of these profiles.
///
/// # Errors
/// All broken rules, each at `profiles.<index>`; a name that is taken, if `replace` is not set; too many
/// profiles; a version that is not current; a type that the caller may not import.
pub async fn save_all(
    db: &Database,
    registry: &Registry,
    scope: &Scope,
    input: impl Into<Validated<ImportProfilesInput>>,
) -> Result<SavedProfiles> {
    // limits first: the rules below query the database for each profile
    let input = input.into().valid()?;
    scope.claim::<ImportProfiles>()?;
    let (replaces, profiles) = (input.replace.unwrap_or_default(), input.profiles);
    let mut rows: Vec<(Option<i64>, ActiveModel)> = Vec::new();
    let mut names = HashSet::new();
    let mut wrong = Violations::new();
    for (at, profile) in profiles.into_iter().enumerate() {
        if !names.insert(fold(&profile.name)) {
            wrong.add(format!("profiles.{at}.name"), codes::DUPLICATE);
        }
        let version = profile.version;
        match build_row(db, registry, scope, profile.into()).await {
            Err(Error::Invalid(violations)) => add_at(at, violations, &mut wrong),
            row => rows.push((version, row?)),
        }
    }
    wrong.check()?;

    let tx = db.begin().await?;
    lock_profiles(&tx, scope).await?;
    let existing = by_name(&tx, scope, names).await?;
    let created = rows.len().saturating_sub(existing.len()) as u64;
    refuse_more(&tx, scope, created).await?;
    let mut wrong = Violations::new();
    for (at, (version, row)) in rows.into_iter().enumerate() {
        let name = row.name_fold.try_as_ref().cloned().unwrap_or_default();
        let saved = match existing.get(&name) {
            Some(_) if !replaces => Err(Violations::error("name", codes::TAKEN)),
            Some(before) => match refuse_other_type(before, &row) {
                Ok(()) => match refuse_stale(version, before.version) {
                    Ok(()) => scope.update_from::<ImportProfiles>(&tx, before, row).await.map(|_| ()),
                    Err(_) => Err(Violations::error("version", codes::STALE)),
                },
                refused => refused,
            },
            None => scope.create::<ImportProfiles>(&tx, row).await.map(|_| ()),
        };
        match saved {
            Err(Error::Invalid(violations)) => {
                add_at(at, violations, &mut wrong);
                // a statement that the database has refused ends the transaction
                if !existing.contains_key(&name) {
                    break;
                }
            }
            saved => saved?,
        }
    }
    wrong.check()?;
    tx.commit().await?;
    Ok(SavedProfiles { created, replaced: existing.len() as u64 })
}

/// Adds the violations of a profile at its index in the list.
fn add_at(at: usize, violations: Violations, wrong: &mut Violations) {
    for violation in violations {
        wrong.add(format!("profiles.{at}.{}", violation.path), violation.message);
    }
}
