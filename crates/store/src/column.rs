//! Columns of any table, and conditions on their text.

use sea_orm::{
    ColumnTrait, Condition, DbBackend, IdenStatic,
    sea_query::{ColumnRef, DynIden, Expr, ExprTrait, Func, SimpleExpr},
};

/// Column of any table.
pub trait AnyColumn: Sync {
    fn reference(&self) -> ColumnRef;
    fn table(&self) -> DynIden;
    fn name(&self) -> &str;
}

impl<C: ColumnTrait + Sync> AnyColumn for C {
    fn reference(&self) -> ColumnRef {
        self.as_column_ref().into()
    }

    fn table(&self) -> DynIden {
        self.as_column_ref().0
    }

    fn name(&self) -> &str {
        IdenStatic::as_str(self)
    }
}

/// Condition for texts that begin with `with`, as a range of the column's index, so that wildcards have no
/// effect.
pub fn begins(column: &SimpleExpr, with: &str) -> Condition {
    let text = || column.clone();
    Condition::all().add(text().gte(with)).add(text().lt(format!("{with}{}", char::MAX)))
}

/// Condition for texts that contain the needle: no wildcards, no index.
pub fn contains(backend: DbBackend, column: SimpleExpr, needle: &str) -> SimpleExpr {
    let find = if backend == DbBackend::Sqlite { "instr" } else { "strpos" };
    Expr::expr(Func::cust(find).arg(column).arg(needle)).gt(0)
}

/// Escapes the wildcards of `LIKE`.
pub fn escape_like(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}
