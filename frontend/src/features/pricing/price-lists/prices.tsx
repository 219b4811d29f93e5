import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Calculator, ClipboardPaste, History, Percent, Plus, Save } from 'lucide-react'
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceList, PriceListPrice } from '~/api/schema'
import { unitChoices, useUnits } from '~/api/units'
import { articleThumbnail } from '~/features/catalog/articles/ref'
import { HeldMark } from '~/features/pricing/shared/held-mark'
import { useFigureTexts } from '~/features/pricing/shared/use-figure-texts'
import { useTiersText } from '~/features/pricing/shared/use-tiers-text'
import type { FieldHistoryTarget } from '~/features/shared/history/field-history'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { useSheetImpact } from '~/features/shared/price-impact/use-sheet-impact'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { useAskToLeave, useLeaveGuard } from '~/kit/form/use-leave-guard'
import { useRecordPage } from '~/kit/records/record-page-context'
import { useAllowedOperations } from '~/kit/records/resources'
import type { SheetColumn } from '~/kit/sheet/column'
import { blockOf } from '~/kit/sheet/selection'
import { Spreadsheet } from '~/kit/sheet/spreadsheet'
import { PAGE_SIZE, usePagedRows } from '~/kit/sheet/use-paged-rows'
import { type Sheet, useSpreadsheet } from '~/kit/sheet/use-spreadsheet'
import { FilterBar } from '~/kit/table/filter-bar'
import { SheetListTools } from '~/kit/table/sheet-list-tools'
import { NoMatch } from '~/kit/table/table-states'
import { useListState } from '~/kit/table/use-list-state'
import { BusyButton } from '~/kit/ui/busy-button'
import { EmptyState } from '~/kit/ui/empty-state'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { LoadingView } from '~/kit/ui/loading-view'
import type { RowAction } from '~/kit/ui/row-menu'
import { Thumbnail } from '~/kit/ui/thumbnail'
import { useCan } from '~/session/me'
import { LockedNotice } from './locked-notice'
import { listPrices, MAX_ARTICLES_PER_CALL, pricesSpec } from './prices-api'
import { priceList } from './resource'
import { listColumns, listPriceFields } from './sheet'
import { useSaveListPrices } from './use-save-prices'

const PriceDialog = lazyWithTexts(() => import('./price-dialog'))
const ChangeDialog = lazyWithTexts(() => import('./change-dialog'))
const PasteDialog = lazyWithTexts(() => import('./paste-dialog'))
const FieldHistory = lazyWithTexts(() => import('~/features/shared/history/field-history'), 'audit', 'recordPage')

function useColumns(mayEdit: boolean, hasMargin: boolean, open: (row: PriceListPrice) => void) {
  const { t } = useTranslation('priceLists')
  const { field } = useLabels('priceListPrices')
  const { lang } = useFormat()
  const tiers = useTiersText()
  const figures = useFigureTexts()
  const units = useUnits()
  const narrow = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  return useMemo(() => {
    const texts = {
      head: field,
      heldText: (row: PriceListPrice) => (row.held ? t('sheet.held') : ''),
      tiers,
      name: ({ article, image }: PriceListPrice) =>
        image ? (
          <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            <Thumbnail picture={articleThumbnail(article.id, image)} size={26} />
            {article.article_name}
          </Box>
        ) : (
          article.article_name
        ),
      price: ({ held }: PriceListPrice, text: ReactNode) => (held ? <HeldMark label={t('sheet.held')}>{text}</HeldMark> : text),
      margin: ({ figures: rowFigures }: PriceListPrice) => figures.margin(rowFigures?.margin),
      perTonne: ({ price, figures: rowFigures }: PriceListPrice) => figures.perTonne(price, rowFigures?.per_tonne),
      changed: ({ updated_at }: PriceListPrice) => figures.day(updated_at),
    }
    return listColumns(texts, unitChoices(units), lang, { mayEdit, narrow, hasMargin, open })
  }, [t, field, lang, tiers, figures, units, mayEdit, narrow, hasMargin, open])
}

/** Prices of the selected rows, if there is more than one and one call can change them all. */
function selectedPriceIds({ rows, state }: Sheet<PriceListPrice>): number[] {
  const { top, bottom } = blockOf(state.selection)
  const count = bottom - top + 1
  if (count < 2 || count > MAX_ARTICLES_PER_CALL) return []
  const ids = Array.from({ length: count }, (_, at) => rows.at(top + at)?.id)
  return ids.includes(undefined) ? [] : ids.filter((id) => id !== undefined)
}

/** Prices of a list as a sheet. */
export default function PriceListSheet() {
  const { t } = useTranslation(['priceLists', 'common'])
  const format = useFormat()
  const askToLeave = useAskToLeave()
  const { row: priceListRow } = useRecordPage<PriceList>()
  const list = useListState('priceListPrices', pricesSpec)
  const mayEdit = useAllowedOperations(priceList).update && priceListRow.writable && priceListRow.status !== 'inactive'
  const hasMargin = useCan('listing.view') && priceListRow.own && priceListRow.type === 'sales'
  const { state } = list
  const loadPage = useCallback(
    (page: number) => listPrices.list(priceListRow.id, { ...state, page, size: PAGE_SIZE }),
    [priceListRow.id, state],
  )
  const paged = usePagedRows<PriceListPrice>(loadPage as never)
  const [dialog, setDialog] = useState<{ row: PriceListPrice | null } | 'change' | 'paste' | null>(null)
  const open = useCallback((row: PriceListPrice) => setDialog({ row }), [])
  const [historyTarget, setHistoryTarget] = useState<FieldHistoryTarget | null>(null)
  const seesHistory = useCan('audit.list') && priceListRow.own
  const sheet = useSpreadsheet(useColumns(mayEdit, hasMargin, open), paged.rows)
  const rows = useSaveListPrices(priceListRow.id, sheet, paged)
  const seesImpact = useMaySeeImpact('price_list') && priceListRow.own
  const question = () =>
    ({ changeKind: 'prices', name: priceListRow.name, request: impactOf.list(priceListRow.id, { prices: rows.changed() }) }) as const
  const {
    save,
    showImpact,
    busy,
    dialog: impact,
  } = useSheetImpact({
    ...rows,
    changed: sheet.changes.size,
    question: seesImpact ? question : null,
  })
  const dirty = sheet.changes.size > 0
  useLeaveGuard(dirty)

  const actions = (row: PriceListPrice, column: SheetColumn<PriceListPrice>): RowAction[] => {
    const fields = listPriceFields(column)
    if (!seesHistory || fields.length === 0) return []
    const field = sheet.byId.get(column.group === 'price' ? 'price.price' : column.id)?.header ?? ''
    const target = {
      record: 'price_list_entry',
      id: row.id,
      name: `${row.article.article_number}, ${priceListRow.name}`,
      field,
      fields,
    } as const
    return [{ label: t('sheet.history'), icon: History, onClick: () => setHistoryTarget(target) }]
  }

  async function discard() {
    if (await askToLeave()) sheet.discard()
  }

  const add = mayEdit && (
    <>
      <Button variant="outlined" startIcon={<Plus size={18} aria-hidden />} onClick={() => setDialog({ row: null })}>
        {t('sheet.add')}
      </Button>
      <Button variant="outlined" startIcon={<ClipboardPaste size={18} aria-hidden />} onClick={() => setDialog('paste')}>
        {t('sheet.paste')}
      </Button>
    </>
  )
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
        label={t('tabs.prices')}
        name="priceListPrices"
        readOnly={!mayEdit}
        {...(mayEdit && { onSave: save })}
        actions={actions}
      />
    ) : list.filtered ? (
      <NoMatch list={list} />
    ) : (
      <EmptyState icon={priceList.icon} title={t('sheet.empty')} action={add}>
        {t('sheet.emptyBody')}
      </EmptyState>
    )
  return (
    <Stack spacing={1.5}>
      <LockedNotice row={priceListRow} />
      {mayEdit && (
        <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1 }}>
          <BusyButton variant="contained" startIcon={<Save size={18} aria-hidden />} busy={rows.saving} disabled={!dirty} onClick={save}>
            {t('common:actions.save')}
          </BusyButton>
          {showImpact && (
            <Button variant="outlined" disabled={!dirty || busy} startIcon={<Calculator size={18} aria-hidden />} onClick={showImpact}>
              {t('actions.impact')}
            </Button>
          )}
          <Button variant="outlined" disabled={!dirty || busy} onClick={() => void discard()}>
            {t('sheet.discard')}
          </Button>
          {add}
          <Button variant="outlined" disabled={dirty} startIcon={<Percent size={18} aria-hidden />} onClick={() => setDialog('change')}>
            {t('sheet.change')}
          </Button>
        </Stack>
      )}
      <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1 }}>
        <FilterBar list={list} />
        {paged.total ? (
          <Box role="status" sx={{ alignSelf: 'center', whiteSpace: 'nowrap', typography: 'body2', color: 'text.secondary' }}>
            {t('sheet.rows', { count: paged.total, number: format.decimal(paged.total) })}
          </Box>
        ) : null}
        <SheetListTools list={list} total={paged.total ?? 0} exporter={listPrices.export(priceListRow.id)} />
      </Stack>
      <Box sx={{ height: { xs: 460, md: 'calc(100vh - 376px)' }, minHeight: 360, display: 'flex', flexDirection: 'column' }}>{body}</Box>
      {impact}
      {historyTarget && (
        <Suspense fallback={null}>
          <FieldHistory {...historyTarget} onClose={() => setHistoryTarget(null)} />
        </Suspense>
      )}
      {rows.dialog}
      {dialog && (
        <Suspense fallback={null}>
          {dialog === 'change' ? (
            <ChangeDialog list={priceListRow} state={state} chosen={selectedPriceIds(sheet)} onClose={() => setDialog(null)} />
          ) : dialog === 'paste' ? (
            <PasteDialog list={priceListRow} onClose={() => setDialog(null)} />
          ) : (
            <PriceDialog
              list={priceListRow}
              row={dialog.row}
              readOnly={!mayEdit}
              onClose={() => setDialog(null)}
              onSaved={(row) => {
                paged.replace([row])
                sheet.rebase(new Map([[row.id, row]]))
                rows.showProposals([row])
              }}
            />
          )}
        </Suspense>
      )}
    </Stack>
  )
}
