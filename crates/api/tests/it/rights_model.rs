//! Thousands of random attempts to give rights: whatever is tried in whatever order, nobody comes to hold what the one who
//! acted did not hold, nor what the tenant's ceiling does not allow, and no token more than its owner.

use std::collections::BTreeMap;

use identity::{
    rights::{self, Held, Holder},
    role::{self, RoleInput, Roles},
    user::{self, Account, UserInput, UserPatch, Users},
};
use kernel::{Error, Permission, PermissionSet, Scope};

use sea_orm::{ConnectionTrait, DbBackend};
use tenancy::tenant::{self, TenantInput};
use testkit::TestDatabase;

/// Each of a few steps. The rules are the same on PostgreSQL, where a step takes longer.
const SEQUENCES: usize = 10_000;
const SEQUENCES_ON_POSTGRES: usize = 500;
const STEPS: usize = 3;

/// Few, so that they meet often.
const PERMISSIONS: [Permission; 8] = [
    Permission::AccessAdmin,
    Permission::ListRoles,
    Permission::UpdateRole,
    Permission::ListUsers,
    Permission::UpdateUser,
    Permission::ListTokens,
    Permission::ListArticles,
    Permission::UpdateTenant,
];

/// The same sequence for the same seed (xorshift64*, Vigna 2016).
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap() % sides
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn some<T: Copy>(&mut self, of: &[T]) -> Vec<T> {
        of.iter().copied().filter(|_| self.below(2) == 0).collect()
    }
}

struct World {
    db: TestDatabase,
    dice: Dice,
    tenants: Vec<i64>,
    made: usize,
    /// What was done, and how often.
    done: BTreeMap<&'static str, usize>,
}

type Rights = BTreeMap<i64, (Option<i64>, PermissionSet)>;

impl World {
    async fn new(seed: u64) -> Self {
        let db = testkit::database().await;
        let platform = Scope::platform();
        let mut tenants = Vec::new();
        for short_code in ["NORD", "SUED"] {
            let input = TenantInput {
                company: short_code.to_owned(),
                short_code: short_code.to_owned(),
                permissions: PERMISSIONS[..5].to_vec(),
                ..TenantInput::default()
            };
            tenants.push(tenant::create(&db, &platform, input).await.unwrap().tenant.id);
        }
        let mut world = Self { db, dice: Dice(seed), tenants, made: 0, done: BTreeMap::new() };
        let everything = PermissionSet::ALL.iter().collect();
        let input = RoleInput { name: "Alles".to_owned(), permissions: everything, version: None };
        let all = role::create(&world.db, &platform, input).await.unwrap().role.id;
        let input =
            RoleInput { name: "Wenig".to_owned(), permissions: PERMISSIONS[..6].to_vec(), version: None };
        let some = role::create(&world.db, &platform, input).await.unwrap().role.id;
        let homes = [None, None, Some(world.tenants[0]), Some(world.tenants[0]), Some(world.tenants[1])];
        for (number, (home, role)) in homes.into_iter().zip([all, some, some, some, some]).enumerate() {
            let account = Account {
                name: format!("Person {number}"),
                email: format!("person{number}@x.example"),
                tenant_id: home,
                role_ids: vec![role],
                password_hash: Some("none".to_owned()),
            };
            user::enroll(&world.db, &platform, account).await.unwrap();
        }
        world.made = homes.len();
        world
    }

    async fn rights(&self) -> Rights {
        let users = Scope::platform().find::<Users>().all(&*self.db).await.unwrap();
        let holders: Vec<Holder> = users.iter().map(Holder::from).collect();
        let mut held = rights::held(&*self.db, &holders).await.unwrap();
        let mut rights_of = |id| held.remove(&id).as_ref().map(Held::effective).unwrap_or_default();
        users.iter().map(|user| (user.id, (user.tenant_id, rights_of(user.id)))).collect()
    }

    /// Somebody tries something. What he held, and whether it was allowed.
    async fn step(&mut self, before: &Rights) -> (&'static str, i64, bool) {
        let users: Vec<i64> = before.keys().copied().collect();
        let actor = self.dice.one(&users);
        let (home, held) = before[&actor];
        let chosen =
            if home.is_none() && self.dice.once_in(2) { Some(self.dice.one(&self.tenants)) } else { home };
        let scope = scope_of(actor, home, chosen, held);
        let roles = Scope::platform().find::<Roles>().all(&*self.db).await.unwrap();
        let roles: Vec<i64> = roles.iter().map(|role| role.id).collect();
        let (role, target) = (self.dice.one(&roles), self.dice.one(&users));
        let permissions = self.dice.some(&PERMISSIONS);
        let (db, dice) = (&self.db, &mut self.dice);
        let (what, outcome) = match dice.below(9) {
            0 if roles.len() < 12 => {
                self.made += 1;
                let name = format!("Rolle {}", self.made);
                let input = RoleInput { name, permissions, version: None };
                ("role made", role::create(db, &scope, input).await.map(drop))
            }
            0 | 1 => ("role deleted", role::delete(db, &scope, role).await),
            2 | 3 => {
                let input = RoleInput { name: format!("Rolle {role}"), permissions, version: None };
                ("role changed", role::update(db, &scope, role, input).await.map(drop))
            }
            4 if users.len() < 10 => {
                self.made += 1;
                let input = UserInput {
                    name: format!("Person {}", self.made),
                    email: format!("person{}@x.example", self.made),
                    tenant_id: if dice.once_in(3) { None } else { Some(dice.one(&self.tenants)) },
                    role_ids: vec![role],
                    permissions: dice.once_in(2).then_some(permissions),
                };
                ("user invited", user::create(db, &scope, input).await.map(drop))
            }
            4 if dice.once_in(2) => ("user deleted", user::delete(db, &scope, target).await),
            5 => {
                let ceiling = tenant::ceiling(&**db, self.tenants[0]).await.unwrap();
                let grown = ceiling.iter().chain(permissions).collect();
                let input = TenantInput {
                    company: "NORD".to_owned(),
                    short_code: "NORD".to_owned(),
                    permissions: grown,
                    ..TenantInput::default()
                };
                ("ceiling raised", tenant::update(db, &scope, self.tenants[0], input).await.map(drop))
            }
            _ => {
                let patch = UserPatch {
                    name: None,
                    email: None,
                    role_ids: dice.once_in(2).then(|| vec![role]),
                    permissions: dice.once_in(2).then_some(permissions),
                    narrowed: dice.once_in(3).then(|| dice.once_in(2)),
                    disabled: None,
                    version: None,
                };
                ("user changed", user::change(db, &scope, target, patch).await.map(drop))
            }
        };
        let refused = match outcome {
            Ok(()) => false,
            Err(Error::Refused(_) | Error::Invalid(_) | Error::InUse(_)) => true,
            Err(error) => panic!("{what}: {error}"),
        };
        (what, actor, !refused)
    }
}

#[expect(clippy::disallowed_methods, reason = "the test is the authentication")]
fn scope_of(actor: i64, home: Option<i64>, chosen: Option<i64>, rights: PermissionSet) -> Scope {
    Scope::granted_by_authentication(home, chosen, Some(actor), rights).unwrap()
}

#[actix_web::test]
async fn nobody_ever_gives_what_he_does_not_hold() {
    let mut world = World::new(0x5EED_0001).await;
    let mut before = world.rights().await;
    let postgres = world.db.get_database_backend() == DbBackend::Postgres;
    for sequence in 0..if postgres { SEQUENCES_ON_POSTGRES } else { SEQUENCES } {
        let mut told = Vec::new();
        for _ in 0..STEPS {
            let (what, actor, allowed) = world.step(&before).await;
            told.push((what, actor, allowed));
            if !allowed {
                continue;
            }
            *world.done.entry(what).or_default() += 1;
            let after = world.rights().await;
            let held = before[&actor].1;
            for (user, (tenant, rights)) in &after {
                let had = before.get(user).map(|(_, rights)| *rights).unwrap_or_default();
                let gained = rights.difference(had);
                assert!(
                    gained.is_subset(held),
                    "sequence {sequence}: {told:?}: {user} gained {gained:?}, {actor} held {held:?}"
                );
                if let Some(tenant) = tenant {
                    let ceiling = tenant::ceiling(&*world.db, *tenant).await.unwrap();
                    assert!(
                        rights.is_subset(ceiling),
                        "sequence {sequence}: {told:?}: {user} is above the ceiling"
                    );
                }
            }
            assert!(
                after
                    .values()
                    .any(|(tenant, rights)| tenant.is_none() && PermissionSet::ALL.is_subset(*rights)),
                "sequence {sequence}: {told:?}: nobody administers the platform any more"
            );
            before = after;
        }
    }
    for what in ["role made", "role changed", "role deleted", "user invited", "user changed", "user deleted"]
    {
        assert!(
            world.done.get(what).is_some_and(|times| *times > 2),
            "{what} hardly ever happened: {:?}",
            world.done
        );
    }
}
