//! Pages of large lists of two tenants: they equal the results of plain SQL, whatever is written and however
//! they are read.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::time::Duration;

use lists::{ListQuery, Page};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbBackend, Statement};
use store::{Database, Scope, statements::sent_by};
use testkit::{
    TestDatabase,
    note::{self, Note, NoteRow, Notes, note},
};
use values::{PermissionSet, TenantId, now};

/// Rows of a tenant, enough for a large table, whose totals are cached.
const ROWS: u32 = 5_400;
/// First id of the younger half of the rows.
const FAR: i64 = 1 << 40;

const NORTH: i64 = 11;
const SOUTH: i64 = 12;

struct Bed {
    db: TestDatabase,
    random: u32,
}

impl Bed {
    /// Creates notes of two tenants in alternating rows.
    async fn new(rows: u32) -> Self {
        let db = testkit::database().await;
        note::table(&db).await;
        let nulls = if db.get_database_backend() == DbBackend::Postgres { "NULLS FIRST" } else { "" };
        for (index, column) in [("note_number", format!("number {nulls}")), ("note_name", "name_fold".into())]
        {
            run(&db, &format!("CREATE INDEX {index} ON note ({column}, id)")).await;
        }
        let now = now().to_rfc3339();
        for id in [NORTH, SOUTH] {
            run(
                &db,
                &format!(
                    "INSERT INTO tenant (id, company, company_fold, company_sort, short_code, short_code_fold, \
                     short_code_sort, place_fold, version, created_at, updated_at) \
                     VALUES ({id}, 'T{id}', 't{id}', 't{company}', 'T{id}', 't{id}', 't{id}', '', 1, '{now}', '{now}')",
                    company = 99 - id
                ),
            )
            .await;
        }
        let mut bed = Self { db, random: 2_463_534_242 };
        for half in [0, 1] {
            for tenant in [NORTH, SOUTH] {
                let numbers = half * rows / 2..(half + 1) * rows / 2;
                let notes = numbers.map(|number| bed.any_note(number)).collect();
                bed.upsert(tenant, notes).await;
            }
            if half == 0 {
                let next = match bed.db.get_database_backend() {
                    DbBackend::Postgres => format!("ALTER TABLE note ALTER COLUMN id RESTART WITH {FAR}"),
                    _ => format!("UPDATE note SET id = {FAR} WHERE id = (SELECT max(id) FROM note)"),
                };
                run(&bed.db, &next).await;
            }
        }
        bed
    }

    /// Random number by Marsaglia's xorshift: the same numbers in each run.
    fn below(&mut self, bound: u32) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.random % bound
    }

    fn any_note(&mut self, name: u32) -> NoteRow {
        let number = match self.below(3) {
            0 => None,
            _ => Some(i64::from(self.below(40))),
        };
        NoteRow { done: Set(self.below(4) == 0), ..note(&format!("Notiz {name:05}"), number) }
    }

    async fn upsert(&self, tenant: i64, notes: Vec<NoteRow>) {
        let tx = self.db.begin().await.unwrap();
        scope_of(tenant).upsert::<Notes>(&tx, notes).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn any_row(&mut self, tenant: i64) -> Note {
        let offset = self.below(ROWS / 2);
        let query =
            format!("SELECT id FROM note WHERE tenant_id = {tenant} ORDER BY id LIMIT 1 OFFSET {offset}");
        let id = ids(&self.db, &query).await[0];
        scope_of(tenant).get::<Notes>(&*self.db, id).await.unwrap()
    }

    /// Writes rows of the tenant by one of the available methods.
    async fn write(&mut self, scope: &Scope, tenant: i64, door: u32) {
        let row = self.any_row(tenant).await;
        let (id, name) = (row.id, format!("Neu {}", self.below(1_000_000)));
        let number = Some(i64::from(self.below(40)));
        let change = NoteRow { number: Set(number), ..Default::default() };
        let tx = self.db.begin().await.unwrap();
        match door {
            0 => drop(scope.create::<Notes>(&tx, note(&name, number)).await.unwrap()),
            1 => scope.create_all::<Notes>(&tx, [note(&name, None)]).await.unwrap(),
            2 => drop(scope.update::<Notes>(&tx, id, None, change).await.unwrap()),
            3 => drop(scope.update_from::<Notes>(&tx, &row, change).await.unwrap()),
            4 => drop(scope.update_many::<Notes>(&tx, vec![(row, change)]).await.unwrap()),
            MANY => {
                let first = self.below(ROWS - 400);
                let notes = (first..first + 400).map(|name| self.any_note(name)).collect();
                drop(scope.upsert::<Notes>(&tx, notes).await.unwrap());
            }
            6 => scope.replace_by_placeholder::<Notes>(&tx, note::Column::NameFold, vec![id]).await.unwrap(),
            7 => scope.arrange::<Notes>(&tx, note::Column::Number, &[id]).await.unwrap(),
            8 => scope.make_room::<Notes>(&tx, note::Column::Number, note_is(id)).await.unwrap(),
            _ => scope.delete::<Notes>(&tx, id).await.unwrap(),
        }
        tx.commit().await.unwrap();
    }
}

const DOORS: u32 = 10;
/// Method that writes many rows.
const MANY: u32 = 5;

/// Scope of the platform acting for a tenant.
fn platform_for(tenant: i64) -> Scope {
    Scope::platform().acting_for(Some(TenantId(tenant)))
}

fn note_is(id: i64) -> sea_orm::sea_query::SimpleExpr {
    use sea_orm::ColumnTrait;
    note::Column::Id.eq(id)
}

#[expect(clippy::disallowed_methods, reason = "stands for authentication")]
fn scope_of(tenant: i64) -> Scope {
    Scope::granted_by_authentication(Some(TenantId(tenant)), None, None, PermissionSet::all()).unwrap()
}

async fn run(db: &Database, sql: &str) {
    let tx = db.begin().await.unwrap();
    tx.execute_unprepared(sql).await.unwrap();
    tx.commit().await.unwrap();
}

/// Reads ids without the code under test.
async fn ids(db: &Database, sql: &str) -> Vec<i64> {
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get("", "id").unwrap()).collect()
}

/// List, and its equivalent in SQL.
#[derive(Debug, Clone, Copy)]
struct List {
    filter: Option<(&'static str, &'static str)>,
    condition: &'static str,
    sort: &'static str,
    order: &'static str,
}

const FILTERS: [(Option<(&str, &str)>, &str); 5] = [
    (None, "true"),
    (Some(("filter[name]", "notiz 0")), "name_fold LIKE '%notiz 0%'"),
    (Some(("filter[number_greater_than]", "7")), "number > 7"),
    (Some(("filter[number_not_equals]", "7")), "(number <> 7 OR number IS NULL)"),
    (Some(("filter[done]", "true")), "done = true"),
];

const SORTS: [(&str, &str); 6] = [
    ("tenant", "tenant_id DESC, name_fold, id"),
    ("-tenant", "tenant_id, name_fold DESC, id DESC"),
    ("name", "name_fold, id"),
    ("-name", "name_fold DESC, id DESC"),
    ("number", "number NULLS FIRST, id"),
    ("-number", "number DESC NULLS LAST, id DESC"),
];

const SIZE: usize = 40;

impl List {
    fn any(bed: &mut Bed) -> Self {
        let (filter, condition) = FILTERS[bed.below(5) as usize];
        let (sort, order) = SORTS[bed.below(6) as usize];
        Self { filter, condition, sort, order }
    }

    fn query(self, page: usize) -> ListQuery<Notes> {
        let (page, size) = (page.to_string(), SIZE.to_string());
        let paging = [("page[number]", &*page), ("page[size]", &*size), ("sort", self.sort)];
        ListQuery::parse(paging.into_iter().chain(self.filter)).unwrap()
    }

    async fn page(self, db: &Database, scope: &Scope, page: usize) -> Page<Note> {
        self.query(page).fetch(db, scope, |select| select).await.unwrap()
    }

    async fn build_index(self, db: &Database, scope: &Scope, every: u64) {
        self.query(1).build_page_index(db, scope, false, every).await.unwrap();
    }

    /// True if a page is read through an index: without one, the statement has a LIMIT.
    async fn has_index(self, db: &Database, scope: &Scope) -> bool {
        let (_, sent) = sent_by(Box::pin(self.page(db, scope, 3))).await;
        !sent.last().unwrap().contains("LIMIT")
    }

    /// Ids of the page and number of rows, according to plain SQL.
    async fn plain(self, db: &Database, tenant: Option<i64>, page: usize) -> (Vec<i64>, u64) {
        let tenant = tenant.map(|tenant| format!("tenant_id = {tenant} AND ")).unwrap_or_default();
        let rows = format!("FROM note WHERE {tenant}{}", self.condition);
        let offset = (page - 1) * SIZE;
        let page = format!("SELECT id {rows} ORDER BY {} LIMIT {SIZE} OFFSET {offset}", self.order);
        let total = ids(db, &format!("SELECT count(*) AS id {rows}")).await[0];
        (ids(db, &page).await, total.unsigned_abs())
    }

    /// Checks the page. It is correct immediately if it is near the beginning, and otherwise as soon as the
    /// cached total from before the last write has expired: ten seconds later at most.
    async fn check(self, db: &Database, tenant: Option<i64>, page: usize) {
        let scope = tenant.map_or_else(Scope::platform, scope_of);
        let (expected, total) = self.plain(db, tenant, page).await;
        for attempt in 0.. {
            let result = self.page(db, &scope, page).await;
            let found_ids: Vec<_> = result.rows.iter().map(|row| row.id).collect();
            let settled = result.total == total;
            let is_near = (page * SIZE) as u64 <= total / 3;
            if settled || is_near {
                assert_eq!(found_ids, expected, "{self:?} of {tenant:?}, page {page}");
                return;
            }
            assert!(attempt < 1_200, "{self:?} of {tenant:?}: {} and not {total}", result.total);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

#[tokio::test]
async fn pages_equal_those_of_plain_sql_after_any_write() {
    let mut bed = Bed::new(ROWS).await;
    let far = ids(&bed.db, &format!("SELECT id FROM note WHERE id > {FAR}")).await;
    assert!(far.len() > ROWS as usize / 2);
    for _ in 0..8 {
        let (list, page) = (List::any(&mut bed), 1 + bed.below(140) as usize);
        list.check(&bed.db, Some(NORTH), page).await;
        list.check(&bed.db, None, page).await;
    }
    for round in 0..40 {
        let (tenant, list, other) =
            ([NORTH, SOUTH][bed.below(2) as usize], List::any(&mut bed), List::any(&mut bed));
        let (every, page) = ([1, 16, 64][bed.below(3) as usize], 1 + bed.below(140) as usize);
        for scope in [scope_of(tenant), Scope::platform()] {
            list.build_index(&bed.db, &scope, every).await;
        }
        // with the index as built, without waiting for totals
        list.check(&bed.db, Some(tenant), page).await;
        list.check(&bed.db, None, page).await;
        let whose = [NORTH, SOUTH][bed.below(2) as usize];
        let door = if round % 2 == 0 { MANY } else { bed.below(DOORS) };
        match round % 4 {
            0 => bed.write(&platform_for(whose), whose, door).await,
            1 | 2 => bed.write(&scope_of(whose), whose, door).await,
            _ => run(&bed.db, "UPDATE note SET number = 39 - number WHERE id % 3 = 0").await,
        }
        for page in [1, 1 + bed.below(10) as usize] {
            list.check(&bed.db, Some(tenant), page).await;
            list.check(&bed.db, None, page).await;
            other.check(&bed.db, Some(tenant), page).await;
        }
    }
}

const OF_SOME: List = List {
    filter: Some(("filter[number_greater_than]", "7")),
    condition: "number > 7",
    sort: "number",
    order: "number NULLS FIRST, id",
};

/// Separate list for each round: for one that a busy machine has read slowly twice, an index would be built
/// in the background.
fn list_of_round(round: u32) -> List {
    List { filter: Some(("filter[number_greater_than]", format!("-{round}").leak())), ..OF_SOME }
}

#[tokio::test]
async fn writes_of_a_tenant_keep_the_page_indexes_of_other_tenants() {
    let mut bed = Bed::new(ROWS).await;
    let readers = [scope_of(NORTH), scope_of(SOUTH), Scope::platform()];
    let mut rounds = 1..;
    for door in 0..DOORS {
        for (writer, whose) in
            [(scope_of(NORTH), NORTH), (scope_of(SOUTH), SOUTH), (platform_for(NORTH), NORTH)]
        {
            let list = list_of_round(rounds.next().unwrap());
            for reader in &readers {
                list.build_index(&bed.db, reader, 1).await;
                assert!(list.has_index(&bed.db, reader).await);
            }
            bed.write(&writer, whose, door).await;
            let mut have = Vec::new();
            for reader in &readers {
                have.push(list.has_index(&bed.db, reader).await);
            }
            assert_eq!(
                have,
                [whose != NORTH, whose != SOUTH, false],
                "door {door}, of {whose}, by {writer:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_write_without_a_tenant_outdates_all_pages() {
    let bed = Bed::new(ROWS).await;
    for (round, (sql, stays)) in (1..).zip([
        (format!("UPDATE note SET number = 1 WHERE tenant_id = {NORTH} AND number = 39"), false),
        (format!("DELETE FROM note WHERE tenant_id = {NORTH} AND number = 38"), false),
        ("UPDATE tenant SET version = 2".to_owned(), true),
    ]) {
        let list = list_of_round(round);
        for tenant in [NORTH, SOUTH] {
            list.build_index(&bed.db, &scope_of(tenant), 1).await;
        }
        run(&bed.db, &sql).await;
        for tenant in [NORTH, SOUTH] {
            assert_eq!(list.has_index(&bed.db, &scope_of(tenant)).await, stays, "{sql}");
        }
    }
}

#[tokio::test]
async fn writes_of_a_tenant_keep_the_totals_of_other_tenants() {
    let mut bed = Bed::new(ROWS).await;
    let counts = async |bed: &Bed| {
        let (_, sent) = sent_by(OF_SOME.page(&bed.db, &scope_of(SOUTH), 1)).await;
        sent.iter().filter(|sql| sql.to_lowercase().contains("count(")).count()
    };
    // Totals are cached for a hundred times as long as counting takes, and a busy machine may miss that
    // period.
    for _ in 0..50 {
        let count = Box::pin(counts(&bed)).await;
        assert!(count <= 3, "whether the table is large, how large, and what matches");
        bed.write(&scope_of(NORTH), NORTH, 2).await;
        if Box::pin(counts(&bed)).await == 0 {
            return;
        }
    }
    panic!("each write makes the others count");
}

#[tokio::test]
async fn small_tables_are_not_indexed() {
    let bed = Bed::new(200).await;
    let all = List { filter: None, condition: "true", ..OF_SOME };
    for list in [all, OF_SOME] {
        list.build_index(&bed.db, &scope_of(NORTH), 1).await;
        for number in 0..3 {
            let (page, sent) = sent_by(list.page(&bed.db, &scope_of(NORTH), 1)).await;
            assert_eq!(sent.len(), 2, "what there is and the page: {sent:#?}");
            assert!(sent.last().unwrap().contains("LIMIT"), "no index is asked");
            bed.upsert(NORTH, vec![note(&format!("Neu {number}"), Some(9))]).await;
            let (_, total) = list.plain(&bed.db, Some(NORTH), 1).await;
            assert_eq!(page.total + 1, total, "each is counted at once");
            bed.upsert(NORTH, vec![note(&format!("Neu {number}"), None)]).await;
            run(&bed.db, &format!("DELETE FROM note WHERE name = 'Neu {number}'")).await;
        }
    }
}
