import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { ListChecks, SquarePen, Trash2, X } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BulkOutcome } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import type { BulkSelection, RowSelection } from '~/kit/table/selection/use-selection'
import type { List } from '~/kit/table/use-list-state'
import { useConfirm } from '~/kit/ui/confirm'
import { focusList, focusRefreshedList } from '~/kit/ui/focus-list'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { notify } from '~/kit/ui/snackbar'
import { useOfferUndo } from '~/kit/ui/use-undo'
import { type Bulk, MAX_BULK } from './bulk'

const ChangeDialog = lazyWithTexts(() => import('./change-dialog'))
const OutcomeDialog = lazyWithTexts(() => import('./outcome-dialog'))

export type BulkOperation = 'removed' | 'changed'

export interface SelectionBarProps {
  list: List
  selection: RowSelection<never>
  bulk: Bulk
  may: { update: boolean; remove: boolean }
  /** Number of rows on all pages. */
  total: number
  /** True if a row links to its record. */
  canOpenRecords?: boolean
  /** True if the operations cannot be undone. */
  irreversible?: boolean
  /** Renders further consequences of the deletion in the confirmation. */
  deletes?: ((selection: BulkSelection) => ReactNode) | undefined
}

/** Number of rows that are named in the confirmation of a deletion. */
const NAMED = 5

/** Toolbar with the operations on the selected rows. */
export default function SelectionBar({
  list,
  selection,
  bulk,
  may,
  total,
  canOpenRecords = true,
  irreversible = false,
  deletes,
}: SelectionBarProps) {
  const { t } = useTranslation(['selection', 'common'])
  const format = useFormat()
  const confirm = useConfirm()
  const offerUndo = useOfferUndo()
  const [isChangeOpen, setChangeOpen] = useState(false)
  const [outcome, setOutcome] = useState<{ verb: BulkOperation; outcome: BulkOutcome } | null>(null)
  const { count, all, names } = selection
  const countText = (key: 'chosen' | 'all' | 'remove.title' | 'remove.more' | 'done.removed' | 'done.changed', amount = count) =>
    t(key, { count: amount, rows: format.decimal(amount) })
  const tooMany = count > MAX_BULK

  async function done(verb: BulkOperation, result: BulkOutcome) {
    selection.selectOnly(result.refused)
    if (result.refused.length > 0) setOutcome({ verb, outcome: result })
    if (result.done > 0) {
      const message = countText(`done.${verb}`, result.done)
      if (irreversible) notify.success(message)
      else offerUndo(message, result)
    }
    if (result.refused.length === 0) await focusRefreshedList()
  }

  async function remove(run: NonNullable<Bulk['remove']>) {
    const firstNames = names.slice(0, NAMED)
    const listedNames = names.length > NAMED ? [...firstNames, countText('remove.more', names.length - NAMED)] : firstNames
    let result: BulkOutcome | null = null
    await confirm({
      title: countText('remove.title'),
      body: all
        ? t('remove.bodyAll', { rows: format.decimal(count), count })
        : t('remove.body', { names: format.list(listedNames), count }),
      ...(deletes && { detail: deletes(selection.onWire), wide: true }),
      action: t('common:actions.delete'),
      retype: String(count),
      run: async (typed) => {
        result = await run(list.state, selection.onWire, typed)
      },
    })
    if (result) await done('removed', result)
  }

  return (
    <>
      <Box
        role="region"
        aria-label={t('region')}
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 1,
          px: 1.5,
          py: 1,
          borderTop: 1,
          borderColor: 'divider',
          bgcolor: 'background.paper',
          backgroundImage: 'linear-gradient(var(--mui-palette-action-selected), var(--mui-palette-action-selected))',
          // on a phone the page scrolls, not the list
          position: 'sticky',
          bottom: 0,
          zIndex: 2,
          '& .MuiButton-startIcon': { display: { xs: 'none', sm: 'inherit' } },
        }}
      >
        <Tooltip title={t('clear')}>
          <IconButton
            size="small"
            aria-label={t('clear')}
            onClick={() => {
              selection.clear()
              focusList()
            }}
          >
            <X size={18} />
          </IconButton>
        </Tooltip>
        <Box component="span" role="status" sx={{ typography: 'body2', fontWeight: 600, mr: 'auto' }}>
          {countText(all ? 'all' : 'chosen')}
        </Box>
        {tooMany && (
          <Box component="span" sx={{ typography: 'body2', color: 'text.secondary' }}>
            {t('tooMany', { max: format.decimal(MAX_BULK) })}
          </Box>
        )}
        {!all && selection.page === 'all' && total > count && (
          <Button size="small" color="inherit" startIcon={<ListChecks size={16} />} onClick={selection.chooseAll}>
            {t('chooseAll', { rows: format.decimal(total) })}
          </Button>
        )}
        {bulk.change && may.update && (
          <Button
            size="small"
            variant="outlined"
            startIcon={<SquarePen size={16} />}
            disabled={tooMany}
            onClick={() => setChangeOpen(true)}
          >
            {t('change.open')}
          </Button>
        )}
        {bulk.remove && may.remove && (
          <Button
            size="small"
            variant="outlined"
            color="error"
            startIcon={<Trash2 size={16} />}
            disabled={tooMany}
            onClick={() => bulk.remove && void remove(bulk.remove)}
          >
            {t('remove.open')}
          </Button>
        )}
      </Box>
      <Suspense fallback={null}>
        {isChangeOpen && bulk.change && (
          <ChangeDialog
            ns={list.ns}
            count={count}
            change={bulk.change}
            target={{ state: list.state, selection: selection.onWire }}
            onClose={() => setChangeOpen(false)}
            onDone={(result) => {
              setChangeOpen(false)
              void done('changed', result)
            }}
          />
        )}
        {outcome && (
          <OutcomeDialog
            {...outcome}
            canOpenRecords={canOpenRecords}
            onClose={() => {
              setOutcome(null)
              focusList()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
