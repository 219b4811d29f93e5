//! Small world of users, roles, invitations and tokens, and the steps that a user may try in it.

use std::{collections::BTreeMap, time::Duration};

use identity::{
    ability::Ability,
    caller::{self, Caller, Callers, RequestCredential},
    link,
    password::Passwords,
    rights::{self, PermissionSubject, UserPermissions},
    role::{RoleInput, Roles},
    session::Lifetime,
    token::{
        self, CreatedToken, TokenInput,
        rotation::{self, TokenRotation},
    },
    user::{self, Account, Column, Status, UserInput, UserPatch, Users},
};
use lists::{Creatable, Deletable, Managed};
use sea_orm::QuerySelect;
use store::Scope;
use tenancy::tenant::{self, TenantInput};
use testkit::TestDatabase;
use values::{Error, Permission, PermissionSet, Result, TenantId, UserId, now};

use crate::support::PASSWORD;

/// Base URL of links in mails.
const SITE: &str = "https://stalhof.test";

/// Permissions used; few, so that they often coincide.
const PERMISSIONS: [Permission; 9] = [
    values::permissions::ACCESS_ADMIN,
    values::permissions::ACCESS_SHOP,
    identity::permissions::LIST_ROLES,
    identity::permissions::UPDATE_ROLE,
    identity::permissions::LIST_USERS,
    identity::permissions::UPDATE_USER,
    catalog::permissions::LIST_ARTICLES,
    imports::permissions::CREATE_IMPORT,
    tenancy::permissions::UPDATE_TENANT,
];

const TENANTS: [&str; 2] = ["NORD", "SUED"];

/// Steps, each of which has to occur.
pub(super) const DEEDS: [&str; 16] = [
    "role made",
    "role changed",
    "role deleted",
    "user created",
    "user changed",
    "user disabled",
    "user enabled",
    "user deleted",
    "invitation sent",
    "invitation revoked",
    "link used",
    "token made",
    "token replaced",
    "token revoked",
    "ceiling raised",
    "a token had rights",
];

/// Random numbers, the same for the same seed (xorshift64*, Vigna 2016).
pub(super) struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap() % sides
    }

    pub(super) fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn some<T: Copy>(&mut self, of: &[T]) -> Vec<T> {
        of.iter().copied().filter(|_| self.below(2) == 0).collect()
    }
}

#[derive(Debug, PartialEq)]
pub(super) struct Person {
    pub tenant: Option<TenantId>,
    pub status: Status,
    pub rights: PermissionSet,
    pub ceiling: Option<PermissionSet>,
    /// Granted permissions, which would be in effect if the maximum grew to everything.
    pub granted: PermissionSet,
}

pub(super) type People = BTreeMap<i64, Person>;

/// Program that calls with a token.
#[derive(Debug)]
pub(super) struct Program {
    pub id: i64,
    pub owner: i64,
    pub abilities: Vec<Ability>,
    /// True unless it was revoked or ended with its owner's access.
    pub alive: bool,
    text: String,
}

/// Call with a token, and the caller that it was recognised as.
pub(super) struct Called {
    pub program: usize,
    pub caller: Option<Caller>,
}

/// Step that was tried.
#[derive(Debug)]
pub(super) struct Deed {
    pub what: &'static str,
    #[expect(dead_code, reason = "shown if a rule is broken")]
    by: Actor,
    pub target: Option<i64>,
    /// Permissions of the acting user.
    pub rights: PermissionSet,
    pub allowed: bool,
}

#[derive(Debug, Clone, Copy)]
struct Actor {
    scope: Scope,
    user: i64,
}

pub(super) struct World {
    pub dice: Dice,
    pub programs: Vec<Program>,
    /// Number of times that a token was valid.
    pub used: usize,
    db: TestDatabase,
    callers: Callers,
    passwords: Passwords,
    tenants: Vec<TenantId>,
    roles: Vec<i64>,
    /// User of each link, its secret, and true if it can be used.
    links: Vec<(i64, String, bool)>,
    made: usize,
}

impl World {
    pub(super) async fn new(seed: u64, passwords: Passwords) -> Self {
        let db = testkit::database().await;
        let platform = Scope::platform();
        let mut tenants = Vec::new();
        for name in TENANTS {
            tenants.push(tenant::create(&db, &platform, company(name, &PERMISSIONS[..6])).await.unwrap());
        }
        let tenants: Vec<TenantId> = tenants.iter().map(|made| TenantId(made.tenant.id)).collect();
        let mut roles = Vec::new();
        for (name, permissions) in
            [("Alles", Permission::all().collect()), ("Wenig", PERMISSIONS[..7].to_vec())]
        {
            let input = RoleInput { name: name.to_owned(), permissions, version: None };
            roles.push(Roles::create(&db, &platform, input).await.unwrap().role.id);
        }
        let homes = [None, None, Some(tenants[0]), Some(tenants[0]), Some(tenants[1])];
        for (number, tenant_id) in homes.into_iter().enumerate() {
            let account = Account {
                name: format!("Person {number}"),
                email: format!("person{number}@x.example"),
                tenant_id,
                role_ids: vec![roles[usize::from(number > 0)]],
                password_hash: Some("none".to_owned()),
            };
            user::enroll(&db, &platform, account).await.unwrap();
        }
        Self {
            dice: Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            programs: Vec::new(),
            used: 0,
            db,
            // no cached look-up may survive a change
            callers: Callers::new(Duration::from_hours(1)),
            passwords,
            tenants,
            roles,
            links: Vec::new(),
            made: homes.len(),
        }
    }

    pub(super) async fn people(&self) -> People {
        let columns = [Column::Id, Column::TenantId, Column::Narrowed, Column::Status];
        let found = Scope::platform().find::<Users>().select_only().columns(columns);
        let found: Vec<(i64, Option<TenantId>, bool, Status)> =
            found.into_tuple().all(&*self.db).await.unwrap();
        let holders: Vec<PermissionSubject> = found
            .iter()
            .map(|(id, tenant_id, narrowed, _)| PermissionSubject {
                id: *id,
                tenant_id: *tenant_id,
                narrowed: *narrowed,
            })
            .collect();
        let mut held = rights::load_permissions(&*self.db, &holders).await.unwrap();
        let person = |(id, tenant, _, status)| {
            let held = held.remove(&id).unwrap();
            let granted = UserPermissions { ceiling: None, ..held.clone() }.effective();
            (id, Person { tenant, status, rights: held.effective(), ceiling: held.ceiling, granted })
        };
        found.into_iter().map(person).collect()
    }

    /// Calls with any current or former token, if there is one.
    pub(super) async fn authenticate_any(&mut self) -> Option<Called> {
        if self.programs.is_empty() {
            return None;
        }
        let program = self.dice.below(self.programs.len());
        Some(Called { program, caller: self.authenticate(program).await })
    }

    async fn authenticate(&self, program: usize) -> Option<Caller> {
        let token = &self.programs[program].text;
        let presented = RequestCredential { token, passive: false, address: "127.0.0.1" };
        match caller::authenticate(&self.db, &self.callers, Lifetime::default(), presented, now()).await {
            Ok(caller) => Some(caller),
            Err(Error::Refused(_)) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Signed-in user, or one of their programs.
    async fn actor(&mut self, people: &People) -> Actor {
        if self.dice.once_in(4)
            && let Some(Called { caller: Some(caller), .. }) = self.authenticate_any().await
        {
            let scope = caller.scope(self.chosen(caller.tenant_id)).unwrap();
            return Actor { scope, user: caller.id };
        }
        let signed_in = people.iter().filter(|(_, person)| person.status == Status::Verified);
        let signed_in: Vec<i64> = signed_in.map(|(id, _)| *id).collect();
        let user = self.dice.one(&signed_in);
        let Person { tenant, rights, .. } = people[&user];
        Actor { scope: scope_of(user, tenant, self.chosen(tenant), rights), user }
    }

    fn chosen(&mut self, home: Option<TenantId>) -> Option<TenantId> {
        if home.is_none() && self.dice.once_in(2) { Some(self.dice.one(&self.tenants)) } else { home }
    }

    /// Tries a random step.
    pub(super) async fn step(&mut self, people: &People) -> Deed {
        let by = self.actor(people).await;
        let target = self.dice.one(&people.keys().copied().collect::<Vec<_>>());
        loop {
            let (what, target, outcome) = match self.dice.below(7) {
                0 | 1 => self.changes_a_role(by).await,
                2 | 3 => self.changes_a_user(by, target, people.len()).await,
                4 => self.invites(by, target).await,
                5 => self.uses_tokens(by).await,
                _ if self.dice.once_in(2) => self.raises_a_ceiling(by).await,
                // rare, since it computes a hash
                _ if self.dice.once_in(3) => match self.uses_a_link().await {
                    Some(used) => used,
                    None => continue,
                },
                _ => continue,
            };
            let allowed = match outcome {
                Ok(()) => true,
                Err(Error::Refused(_) | Error::Invalid(_) | Error::InUse(_)) => false,
                Err(error) => panic!("{what}: {error}"),
            };
            // a user of a link is not signed in yet
            let rights = if what == "link used" { PermissionSet::default() } else { by.scope.rights() };
            return Deed { what, by, target, rights, allowed };
        }
    }

    async fn changes_a_role(&mut self, by: Actor) -> Tried {
        let role = self.dice.one(&self.roles);
        let permissions = self.dice.some(&PERMISSIONS);
        match self.dice.below(5) {
            0 if self.roles.len() < 10 => {
                let input =
                    RoleInput { name: format!("Rolle {}", self.another()), permissions, version: None };
                let made = Roles::create(&self.db, &by.scope, input).await;
                ("role made", None, made.map(|made| self.roles.push(made.role.id)))
            }
            0 | 1 => {
                let deleted = Roles::delete(&self.db, &by.scope, role).await;
                ("role deleted", None, deleted.map(|()| self.roles.retain(|known| *known != role)))
            }
            _ => {
                let input = RoleInput { name: format!("Rolle {role}"), permissions, version: None };
                ("role changed", None, Roles::update(&self.db, &by.scope, role, input).await.map(drop))
            }
        }
    }

    async fn changes_a_user(&mut self, by: Actor, target: i64, users: usize) -> Tried {
        let dice = &mut self.dice;
        let (role, permissions) = (dice.one(&self.roles), dice.some(&PERMISSIONS));
        let nothing = UserPatch {
            name: None,
            email: None,
            role_ids: None,
            permissions: None,
            narrowed: None,
            disabled: None,
            version: None,
        };
        match dice.below(12) {
            0 | 1 if users < 9 => {
                let tenant_id = if dice.once_in(3) { None } else { Some(dice.one(&self.tenants)) };
                let permissions = dice.once_in(2).then_some(permissions);
                let number = self.another();
                let input = UserInput {
                    name: format!("Person {number}"),
                    email: format!("person{number}@x.example"),
                    tenant_id,
                    role_ids: vec![role],
                    permissions,
                };
                ("user created", None, user::create(&self.db, &by.scope, input).await.map(drop))
            }
            0 => {
                let deleted = Users::delete(&self.db, &by.scope, target).await;
                ("user deleted", Some(target), deleted.map(|()| self.lock_out(target)))
            }
            2 | 3 => {
                let patch = UserPatch { disabled: Some(true), ..nothing };
                let disabled = user::change(&self.db, &by.scope, target, patch, SITE).await;
                ("user disabled", Some(target), disabled.map(|_| self.lock_out(target)))
            }
            4 | 5 => {
                let patch = UserPatch { disabled: Some(false), ..nothing };
                (
                    "user enabled",
                    Some(target),
                    user::change(&self.db, &by.scope, target, patch, SITE).await.map(drop),
                )
            }
            _ => {
                let patch = UserPatch {
                    role_ids: dice.once_in(2).then(|| vec![role]),
                    permissions: dice.once_in(2).then_some(permissions),
                    narrowed: dice.once_in(3).then(|| dice.once_in(2)),
                    ..nothing
                };
                (
                    "user changed",
                    Some(target),
                    user::change(&self.db, &by.scope, target, patch, SITE).await.map(drop),
                )
            }
        }
    }

    async fn invites(&mut self, by: Actor, target: i64) -> Tried {
        if self.dice.once_in(4) {
            let revoked = user::revoke_invitation(&self.db, &by.scope, target).await;
            return ("invitation revoked", Some(target), revoked.map(|()| self.void_links(target)));
        }
        let sent = user::invite(&self.db, &by.scope, target, "https://x.example", now()).await;
        let sent = sent.map(|address| {
            self.void_links(target);
            self.links.push((target, address.split_once("token=").unwrap().1.to_owned(), true));
        });
        ("invitation sent", Some(target), sent)
    }

    /// Uses a link that was sent at some time, if there is any; newer ones are more likely.
    async fn uses_a_link(&mut self) -> Option<Tried> {
        let (holder, text, open) = self.links.iter().rev().nth(self.dice.below(3))?.clone();
        let used = loop {
            match link::accept(&self.db, &self.passwords, &text, PASSWORD.to_owned(), now()).await {
                // a busy machine only takes longer
                Err(Error::Later { .. }) => {}
                outcome => break outcome,
            }
        };
        assert_eq!(used.is_ok(), open, "{holder}: {used:?}");
        Some(("link used", Some(holder), used.map(|()| self.void_links(holder))))
    }

    async fn uses_tokens(&mut self, by: Actor) -> Tried {
        let alive: Vec<usize> =
            (0..self.programs.len()).filter(|index| self.programs[*index].alive).collect();
        if alive.len() >= 4 || !alive.is_empty() && self.dice.once_in(4) {
            let index = self.dice.one(&alive);
            let revoked = token::revoke(&self.db, &by.scope, self.programs[index].id).await;
            let revoked = revoked.map(|()| self.programs[index].alive = false);
            return ("token revoked", Some(self.programs[index].owner), revoked);
        }
        let own = alive.iter().find(|index| self.programs[**index].owner == by.user);
        if let Some(index) = own.or(alive.first()).copied()
            && self.another().is_multiple_of(2)
        {
            let Program { id, owner, ref abilities, .. } = self.programs[index];
            let (abilities, input) = (abilities.clone(), TokenRotation::default());
            let replaced = rotation::rotate(&self.db, &by.scope, id, input, now()).await;
            // the old one stays valid
            let replaced = replaced.map(|issued| self.programmed(by.user, abilities, issued));
            return ("token replaced", Some(owner), replaced);
        }
        let mut abilities = vec![self.dice.one(Ability::ALL)];
        if self.dice.once_in(2) && abilities[0] != Ability::AccessAdmin {
            abilities.push(Ability::AccessAdmin);
        }
        let name = format!("Token {}", self.another());
        let input = TokenInput { name, abilities: abilities.clone(), expires_at: None };
        let made = token::create(&self.db, &by.scope, input, now()).await;
        let made = made.map(|issued| self.programmed(by.user, abilities, issued));
        ("token made", Some(by.user), made)
    }

    fn programmed(&mut self, owner: i64, abilities: Vec<Ability>, issued: CreatedToken) {
        // of the ended ones, the last few are tried again
        if self.programs.len() >= 8 {
            let ended = self.programs.iter().position(|program| !program.alive);
            self.programs.remove(ended.unwrap_or_default());
        }
        let (id, text) = (issued.detail.token.id, issued.plain_text);
        self.programs.push(Program { id, owner, abilities, alive: true, text });
    }

    async fn raises_a_ceiling(&mut self, by: Actor) -> Tried {
        let index = self.dice.below(self.tenants.len());
        let ceiling = tenant::ceiling(&*self.db, self.tenants[index]).await.unwrap();
        // grows by one at a time, so that many steps happen at each level
        let grown: Vec<Permission> = ceiling.iter().chain([self.dice.one(&PERMISSIONS)]).collect();
        let input = company(TENANTS[index], &grown);
        let raised = tenant::update(&self.db, &by.scope, self.tenants[index].into(), input).await;
        ("ceiling raised", None, raised.map(drop))
    }

    fn another(&mut self) -> usize {
        self.made += 1;
        self.made
    }

    fn lock_out(&mut self, user: i64) {
        self.void_links(user);
        for program in self.programs.iter_mut().filter(|program| program.owner == user) {
            program.alive = false;
        }
    }

    fn void_links(&mut self, of: i64) {
        for (_, _, open) in self.links.iter_mut().filter(|(user, ..)| *user == of) {
            *open = false;
        }
    }
}

/// Name of the step, its target user, and its result.
type Tried = (&'static str, Option<i64>, Result<()>);

fn company(name: &str, permissions: &[Permission]) -> TenantInput {
    TenantInput {
        company: name.to_owned(),
        short_code: name.to_owned(),
        permissions: permissions.to_vec(),
        ..TenantInput::default()
    }
}

#[expect(clippy::disallowed_methods, reason = "the test is the authentication")]
fn scope_of(user: i64, home: Option<TenantId>, chosen: Option<TenantId>, rights: PermissionSet) -> Scope {
    Scope::granted_by_authentication(home, chosen, Some(UserId(user)), rights).unwrap()
}
