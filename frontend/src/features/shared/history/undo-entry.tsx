import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Undo2 } from 'lucide-react'
import { createContext, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { Impact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { useFormat } from '~/i18n/use-format'
import { useConfirm } from '~/kit/ui/confirm'
import { type UndoTarget, useUndo } from '~/kit/ui/use-undo'

/**
 * Number of undoable entries of the page that were written by one request, by the id of their first entry.
 */
const RequestCountContext = createContext<ReadonlyMap<number, number>>(new Map())
export const RequestCountProvider = RequestCountContext.Provider

export function countByRequest(rows: readonly AuditEntry[]): ReadonlyMap<number, number> {
  const firstIds = new Map<string, number>()
  const counts = new Map<number, number>()
  for (const { id, request_id, undoable } of rows) {
    if (request_id === null || !undoable) continue
    const first = firstIds.get(request_id) ?? id
    firstIds.set(request_id, first)
    counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  return counts
}

/** Records that prices are computed from. */
const PRICED = ['price_adjustment', 'price_list', 'price_list_entry', 'processing_price', 'surcharge_table']

/** True if an undo may change prices and the user may see the impact. */
function useSeesImpact({ record, changes }: AuditEntry): boolean {
  const changesStockPrice = record === 'stock' && changes.some(({ field }) => /^(external|internal)_/.test(field))
  return useMaySeeImpact('listing') && (changesStockPrice || PRICED.includes(record))
}

/** Undoes an entry, or all entries that were written with it. */
export function UndoEntry({ row, name }: { row: AuditEntry; name: string }) {
  const { t } = useTranslation('audit')
  const format = useFormat()
  const undo = useUndo()
  const confirm = useConfirm()
  const seesImpact = useSeesImpact(row)
  const [pending, setPending] = useState<'one' | 'all' | null>(null)
  const count = useContext(RequestCountContext).get(row.id) ?? 0
  if (!row.undoable) return null
  const run = (which: 'one' | 'all', target: UndoTarget) => {
    setPending(which)
    void undo(target).finally(() => setPending(null))
  }
  const runAll = (request: string) =>
    confirm({
      title: t('undo.allTitle', { count, number: format.decimal(count) }),
      body: t('undo.allBody'),
      ...(seesImpact && { detail: <Impact request={impactOf.undoRequest(request)} />, wide: true }),
      action: all,
      run: async () => run('all', { request, ...(seesImpact && { impact: 'shown already' }) }),
    })
  /**
   * Shows the impact on prices first; if the undo deletes a record, as part of the confirmation of the
   * deletion.
   */
  async function runOne() {
    const withDeletion = row.action === 'created'
    if (seesImpact && !withDeletion) {
      const [title, body] =
        row.action === 'deleted' ? (['undo.restoreTitle', 'undo.restoreBody'] as const) : (['undo.oneTitle', 'undo.oneBody'] as const)
      if (
        !(await confirm({
          title: t(title, { name }),
          body: t(body),
          detail: <Impact request={impactOf.undo(row.id)} />,
          wide: true,
          action,
          harmless: true,
        }))
      )
        return
    }
    run('one', { entry: row.id, name, ...(seesImpact && { impact: withDeletion ? 'with deletion' : 'shown already' }) })
  }
  const action = t(row.action === 'deleted' ? 'undo.restore' : 'undo.action')
  const all = t('undo.all', { rows: format.decimal(count) })
  const shared = { size: 'small', color: 'inherit', startIcon: <Undo2 size={16} />, disabled: pending !== null } as const
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, ml: -1.5, mt: 0.25 }} onClick={(event) => event.stopPropagation()}>
      <Button {...shared} loading={pending === 'one'} aria-label={t('undo.of', { action, name })} onClick={() => void runOne()}>
        {action}
      </Button>
      {count > 1 && row.request_id !== null && (
        <Button
          {...shared}
          loading={pending === 'all'}
          aria-label={t('undo.of', { action: all, name })}
          onClick={() => void runAll(row.request_id ?? '')}
        >
          {all}
        </Button>
      )}
    </Box>
  )
}
