import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Calculator, History, Percent, Save } from 'lucide-react'
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Price } from '~/api/schema'
import { unitChoices, useUnits } from '~/api/units'
import { percentBetween } from '~/features/pricing/shared/change-price'
import { HeldMark } from '~/features/pricing/shared/held-mark'
import { useFigureTexts } from '~/features/pricing/shared/use-figure-texts'
import { useTiersText } from '~/features/pricing/shared/use-tiers-text'
import type { FieldHistoryTarget } from '~/features/shared/history/field-history'
import { ImportButton } from '~/features/shared/import-button'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { useSheetImpact } from '~/features/shared/price-impact/use-sheet-impact'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { useAskToLeave, useLeaveGuard } from '~/kit/form/use-leave-guard'
import { useAllowedOperations } from '~/kit/records/resources'
import type { SheetColumn } from '~/kit/sheet/column'
import { Spreadsheet } from '~/kit/sheet/spreadsheet'
import { PAGE_SIZE, usePagedRows } from '~/kit/sheet/use-paged-rows'
import { useSpreadsheet } from '~/kit/sheet/use-spreadsheet'
import { FilterBar } from '~/kit/table/filter-bar'
import { SheetListTools } from '~/kit/table/sheet-list-tools'
import { NoMatch, StaleBanner } from '~/kit/table/table-states'
import { useListState } from '~/kit/table/use-list-state'
import { BusyButton } from '~/kit/ui/busy-button'
import { EmptyState } from '~/kit/ui/empty-state'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { LoadingView } from '~/kit/ui/loading-view'
import { Page } from '~/kit/ui/page'
import type { RowAction } from '~/kit/ui/row-menu'
import { useCan } from '~/session/me'
import { prices } from './api'
import { HeldNotice } from './held-notice'
import { price } from './resource'
import { EXTERNAL_PRICE, priceColumns, stockPriceFields } from './sheet'
import { useSaveStockPrices } from './use-save-prices'

const TiersDialog = lazyWithTexts(() => import('./tiers-dialog'))
const MoveDialog = lazyWithTexts(() => import('./move-dialog'))
const HeldDialog = lazyWithTexts(() => import('./held-dialog'), 'heldPrices')
const FieldHistory = lazyWithTexts(() => import('~/features/shared/history/field-history'), 'audit', 'recordPage')

type OpenHandlers = Pick<Parameters<typeof priceColumns>[3], 'open' | 'review' | 'showHistory'>

function useColumns(mayEdit: boolean, { open, review, showHistory }: OpenHandlers) {
  const { t } = useTranslation('prices')
  const { field } = useLabels('prices')
  const { decimal, lang } = useFormat()
  const tiers = useTiersText()
  const figures = useFigureTexts()
  const units = useUnits()
  const narrow = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  return useMemo(() => {
    const texts = {
      head: field,
      margin: ({ margin }: Price) => figures.margin(margin),
      changed: ({ external_price, updated_at }: Price) => (external_price ? figures.day(updated_at) : ''),
      heldText: ({ held }: { held: object | null }) => (held ? t('sheet.held') : ''),
      tiers,
      price: ({ held }: Price, text: ReactNode) => (held ? <HeldMark label={t('sheet.held')}>{text}</HeldMark> : text),
      old: (price: string) => (price === '' ? '' : decimal(price, 4)),
      perTonne: ({ external_price, external_price_per_tonne }: Price) => figures.perTonne(external_price, external_price_per_tonne),
      change: (before: string, after: string) => {
        const percent = percentBetween(before, after)
        return percent === null ? '' : `${percent.startsWith('-') ? '' : '+'}${decimal(percent, 1)} %`
      },
    }
    return priceColumns(texts, unitChoices(units), lang, { mayEdit, narrow, open, review, showHistory })
  }, [t, field, decimal, lang, tiers, figures, units, mayEdit, narrow, open, review, showHistory])
}

/** Prices of all stocks as a sheet. */
export default function PriceSheet() {
  const { t } = useTranslation(['prices', 'common', 'spreadsheet'])
  const askToLeave = useAskToLeave()
  const format = useFormat()
  const list = useListState('prices', prices.spec)
  const { update: mayEdit } = useAllowedOperations(price)
  const { state } = list
  const loadPage = useCallback((page: number) => prices.list({ ...state, page, size: PAGE_SIZE }), [state])
  const paged = usePagedRows(loadPage)
  const [tiersRow, setTiersRow] = useState<Price | null>(null)
  const [reviewRow, setReviewRow] = useState<Price | null>(null)
  const [isMoving, setIsMoving] = useState(false)
  const [historyTarget, setHistoryTarget] = useState<FieldHistoryTarget | null>(null)
  const seesHistory = useCan('audit.list')
  const { field } = useLabels('prices')
  const showPriceHistory = useCallback(
    (row: Price) =>
      setHistoryTarget({ record: 'stock', id: row.id, name: price.title(row), field: field('external_price'), fields: EXTERNAL_PRICE }),
    [field],
  )
  const showHistory = seesHistory ? showPriceHistory : undefined
  const sheet = useSpreadsheet(useColumns(mayEdit, { open: setTiersRow, review: setReviewRow, showHistory }), paged.rows)
  const rows = useSaveStockPrices(sheet, paged)
  const seesImpact = useMaySeeImpact('listing')
  const question = () => ({ changeKind: 'stockPrices', name: '', request: impactOf.prices({ prices: rows.changed() }) }) as const
  const { save, showImpact, busy, dialog } = useSheetImpact({
    ...rows,
    changed: sheet.changes.size,
    question: seesImpact ? question : null,
  })
  const dirty = sheet.changes.size > 0
  useLeaveGuard(dirty)

  const actions = (row: Price, column: SheetColumn<Price>): RowAction[] => {
    const fields = stockPriceFields(column)
    if (!seesHistory || fields.length === 0) return []
    const target = {
      record: 'stock',
      id: row.id,
      name: price.title(row),
      field: sheet.byId.get(fields[0] === column.id ? column.id : `${column.group}.price`)?.header ?? '',
      fields,
    } as const
    return [{ label: t('sheet.history'), icon: History, onClick: () => setHistoryTarget(target) }]
  }

  /** Rebases unsaved changes of the row on its saved state. */
  function onTiers(row: Price) {
    paged.replace([row])
    sheet.rebase(new Map([[row.id, row]]))
    rows.showProposals([row])
  }

  async function discard() {
    if (await askToLeave()) sheet.discard()
  }

  const body =
    paged.total === undefined ? (
      paged.error ? (
        <LoadFailed error={paged.error} retry={paged.retry} pending={paged.fetching} />
      ) : (
        <LoadingView />
      )
    ) : paged.total > 0 ? (
      <Spreadsheet
        key={JSON.stringify([state.filters, state.sort])}
        sheet={sheet}
        label={t('title.list')}
        name="prices"
        onSave={save}
        actions={actions}
      />
    ) : list.filtered ? (
      <NoMatch list={list} />
    ) : (
      <EmptyState icon={price.icon} title={t('empty.title')} action={<ImportButton type="Listing" />}>
        {t('empty.body')}
      </EmptyState>
    )
  return (
    <Page
      fill
      title={t('title.list')}
      {...(!mayEdit && { intro: t('sheet.readOnly') })}
      actions={
        mayEdit && (
          <>
            {paged.total !== 0 && <ImportButton type="Price" />}
            {showImpact && (
              <Button variant="outlined" disabled={!dirty || busy} startIcon={<Calculator size={18} aria-hidden />} onClick={showImpact}>
                {t('spreadsheet:impact')}
              </Button>
            )}
            <Button
              variant="outlined"
              disabled={!paged.total || busy}
              startIcon={<Percent size={18} aria-hidden />}
              onClick={() => setIsMoving(true)}
            >
              {t('move.open')}
            </Button>
            <Button variant="outlined" disabled={!dirty || busy} onClick={() => void discard()}>
              {t('sheet.discard')}
            </Button>
            <BusyButton variant="contained" startIcon={<Save size={18} aria-hidden />} busy={rows.saving} disabled={!dirty} onClick={save}>
              {t('common:actions.save')}
            </BusyButton>
          </>
        )
      }
    >
      <HeldNotice />
      <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1 }}>
        <FilterBar list={list} />
        {paged.total ? (
          <Box role="status" sx={{ alignSelf: 'center', whiteSpace: 'nowrap', typography: 'body2', color: 'text.secondary' }}>
            {t('sheet.rows', { count: paged.total, number: format.decimal(paged.total) })}
          </Box>
        ) : null}
        <SheetListTools list={list} total={paged.total ?? 0} exporter={prices.export} />
      </Stack>
      {paged.total !== undefined && paged.error && (
        <StaleBanner
          query={{ data: undefined, error: paged.error, isFetching: paged.fetching, isPlaceholderData: false, refetch: paged.retry }}
        />
      )}
      {body}
      {dialog}
      {rows.dialog}
      {isMoving && (
        <Suspense fallback={null}>
          <MoveDialog sheet={sheet} onClose={() => setIsMoving(false)} />
        </Suspense>
      )}
      {reviewRow && (
        <Suspense fallback={null}>
          <HeldDialog row={reviewRow} readOnly={!mayEdit} onClose={() => setReviewRow(null)} onDecided={(row) => onTiers(row)} />
        </Suspense>
      )}
      {historyTarget && (
        <Suspense fallback={null}>
          <FieldHistory {...historyTarget} onClose={() => setHistoryTarget(null)} />
        </Suspense>
      )}
      {tiersRow && (
        <Suspense fallback={null}>
          <TiersDialog row={tiersRow} readOnly={!mayEdit} onClose={() => setTiersRow(null)} onSaved={onTiers} />
        </Suspense>
      )}
    </Page>
  )
}
