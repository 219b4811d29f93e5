//! Thousands of random attempts to gain permissions. After any sequence, no user has a permission that the
//! acting user lacked or the tenant's maximum does not allow, nor gains one when the maximum grows; a revoked
//! link lets no user in; and no token can do more than its owner may at that time, or than it was made for.

mod world;

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use actix_web::rt::System;
use identity::{ability::Ability, password::Passwords, user::Status};
use values::{Permission, PermissionSet};

use self::world::{Deed, People, World};

/// Number of sequences of two or three steps; `just rights` runs ten times as many. Each world is used for a
/// few, so that they start from many states.
const SEQUENCES: u64 = 1_500;
const SEQUENCES_PER_WORLD: u64 = 250;

#[test]
fn users_never_gain_more_than_the_giver_could_grant() {
    let wanted = std::env::var("STALHOF_SEQUENCES").ok().map(|text| text.parse().expect("a number"));
    let worlds = wanted.unwrap_or(SEQUENCES) / SEQUENCES_PER_WORLD;
    let (next, done) = (AtomicU64::new(0), Mutex::new(BTreeMap::<&str, usize>::new()));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                System::new().block_on(async {
                    let passwords = Passwords::default();
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed) + 1;
                        if seed > worlds {
                            break;
                        }
                        for what in play(seed, passwords.clone()).await {
                            *done.lock().unwrap().entry(what).or_default() += 1;
                        }
                    }
                });
            });
        }
    });
    let done = done.into_inner().unwrap();
    for what in world::DEEDS {
        assert!(done.get(what).is_some_and(|times| *times > 2), "{what}: hardly ever happened: {done:?}");
    }
}

/// Plays the sequences of one world; returns the names of the allowed steps.
async fn play(seed: u64, passwords: Passwords) -> Vec<&'static str> {
    let mut world = World::new(seed, passwords).await;
    let mut people = world.people().await;
    let mut done = Vec::new();
    for sequence in 0..SEQUENCES_PER_WORLD {
        let mut deeds: Vec<Deed> = Vec::new();
        for _ in 0..world.dice.between(2, 3) {
            let deed = world.step(&people).await;
            let allowed = deed.allowed;
            deeds.push(deed);
            if allowed || world.dice.once_in(20) {
                let after = world.people().await;
                if let Some(wrong) = broken(deeds.last().unwrap(), &people, &after) {
                    panic!("world {seed}, sequence {sequence}: {deeds:#?}: {wrong}");
                }
                people = after;
            }
        }
        if let Some(wrong) = overreaching(&mut world, &people).await {
            panic!("world {seed}, sequence {sequence}: {deeds:#?}: {wrong}");
        }
        done.extend(deeds.iter().filter(|deed| deed.allowed).map(|deed| deed.what));
    }
    done.extend(std::iter::repeat_n("a token had rights", world.used));
    done
}

/// Violation by one step, if any.
fn broken(deed: &Deed, before: &People, after: &People) -> Option<String> {
    if !deed.allowed && before != after {
        return Some("what was refused has changed something".to_owned());
    }
    for (id, person) in after {
        let known = before.get(id);
        let gained = person.rights.difference(known.map(|known| known.rights).unwrap_or_default());
        if !gained.is_subset(deed.rights) {
            return Some(format!("{id} gained {gained:?}, granted by a user with {:?}", deed.rights));
        }
        let to_come = person.granted.difference(known.map(|known| known.granted).unwrap_or_default());
        if !to_come.is_subset(deed.rights) {
            return Some(format!(
                "{id} gains {to_come:?} with a higher ceiling, granted by a user with {:?}",
                deed.rights
            ));
        }
        match (person.tenant, person.ceiling) {
            (None, _) => {}
            (Some(_), Some(ceiling)) if person.rights.is_subset(ceiling) => {}
            (Some(_), ceiling) => return Some(format!("{id} is above the ceiling {ceiling:?}")),
        }
        let was_let_in = known.is_some_and(|known| known.status == Status::Verified);
        if person.status == Status::Verified && !was_let_in {
            let by_link = deed.what == "link used" && deed.target == Some(*id);
            let by_superior = deed.what == "user enabled" && person.rights.is_subset(deed.rights);
            if !by_link && !by_superior {
                return Some(format!("{id} was let in"));
            }
        }
    }
    let administers = |person: &world::Person| {
        person.tenant.is_none()
            && person.status == Status::Verified
            && PermissionSet::all().is_subset(person.rights)
    };
    (!after.values().any(administers)).then(|| "the platform has no administrator any more".to_owned())
}

/// Violation by a token that can do too much or too little, if any.
async fn overreaching(world: &mut World, people: &People) -> Option<String> {
    let call = world.authenticate_any().await?;
    let program = &world.programs[call.program];
    let owner = people.get(&program.owner).filter(|owner| owner.status == Status::Verified);
    match (call.caller, owner.filter(|_| program.alive)) {
        (None, None) => None,
        (Some(_), None) => Some(format!("{program:?} outlives its owner or its end")),
        (None, Some(_)) => Some(format!("{program:?} is not let in")),
        (Some(caller), Some(owner)) => {
            let cap = program.abilities.iter().map(|ability| cap(*ability));
            let cap = cap.fold(PermissionSet::default(), PermissionSet::union);
            if caller.id != program.owner || !caller.rights.is_subset(owner.rights.intersection(cap)) {
                return Some(format!("{program:?} may {:?}, its owner {:?}", caller.rights, owner.rights));
            }
            world.used += usize::from(!caller.rights.is_empty());
            None
        }
    }
}

/// Maximum permissions of an ability, expressed independently of the code under test.
fn cap(ability: Ability) -> PermissionSet {
    let names: &[&str] = match ability {
        Ability::AccessAdmin => {
            let decides = |permission: &Permission| {
                let name = permission.as_str();
                let of_people = ["user.", "roles.", "tenant."].iter().any(|area| name.starts_with(area));
                let writes = [".create", ".update", ".delete"].iter().any(|verb| name.ends_with(verb));
                of_people && writes || name.starts_with("token.") || name.starts_with("configure-")
            };
            return PermissionSet::all().iter().filter(|permission| !decides(permission)).collect();
        }
        Ability::AccessShop => &["access-shop"],
        Ability::ImportPrices => {
            &["import.create", "import.view", "listing.create", "listing.update", "price_list.update"]
        }
        Ability::ImportStocks => &["import.create", "import.view", "stock.create", "stock.update"],
        Ability::ImportReplace => {
            &["import.create", "import.view", "stock.delete", "listing.delete", "price_list.delete"]
        }
        Ability::ReadListings => &["listing.list", "listing.view", "price_list.list", "price_list.view"],
        Ability::ReadAvailability => &["stock.list", "stock.view"],
    };
    PermissionSet::parse(names.iter().copied())
}
