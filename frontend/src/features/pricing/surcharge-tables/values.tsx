import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, CopyPlus, Save } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SurchargeTable, SurchargeValuesInput } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useImpact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { useAskToLeave, useLeaveGuard } from '~/kit/form/use-leave-guard'
import { useRecordPage } from '~/kit/records/record-page-context'
import { useAllowedOperations } from '~/kit/records/resources'
import { Spreadsheet } from '~/kit/sheet/spreadsheet'
import { useSpreadsheet } from '~/kit/sheet/use-spreadsheet'
import { BusyButton } from '~/kit/ui/busy-button'
import { EmptyState } from '~/kit/ui/empty-state'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { notify } from '~/kit/ui/snackbar'
import { Waiting } from '~/kit/ui/waiting'
import { today } from '~/lib/days'
import { formatDecimal } from '~/lib/decimal'
import { addMonths, type Month, monthOf, monthText } from '~/lib/months'
import { surchargeTables } from './api'
import { surchargeTable } from './resource'
import { type KeyName, prefillValues, surchargeRows, type TableRow, tableColumns } from './sheet'
import { useSaveValues } from './use-save-values'

const AddRow = lazyWithTexts(() => import('./add-row'))

/** Number of months that are shown, number of past months shown at first, and step of the navigation. */
const MONTHS = 12
const PAST = 5
const STEP = 6

/** Values of a table: a row for each material or article type, a column for each month. */
export default function SurchargeValues() {
  const { row } = useRecordPage<SurchargeTable>()
  const { t } = useTranslation('surchargeTables')
  const values = useQuery(surchargeTables.values(row.id))
  const [added, setAdded] = useState<readonly KeyName[]>([])
  const rows = useMemo(() => values.data && surchargeRows(values.data.data, added), [values.data, added])
  if (!values.data || !rows)
    return values.error ? <LoadFailed error={values.error} retry={() => void values.refetch()} pending={values.isFetching} /> : <Waiting />
  return <Values row={row} rows={rows} version={values.data.version} add={(key) => setAdded([...added, key])} label={t('tabs.values')} />
}

interface Props {
  row: SurchargeTable
  rows: readonly TableRow[]
  /** Version of the table to which the rows belong. */
  version: number
  add: (key: KeyName) => void
  label: string
}

function Values({ row, rows, version, add, label }: Props) {
  const { t } = useTranslation(['surchargeTables', 'common'])
  const { lang } = useFormat()
  const askToLeave = useAskToLeave()
  const mayEdit = useAllowedOperations(surchargeTable).update
  const now = monthOf(today())
  const [start, setStart] = useState<Month>(addMonths(now, -PAST))
  const months = useMemo(() => Array.from({ length: MONTHS }, (_, at) => addMonths(start, at)), [start])
  const columns = useColumns(row, months, mayEdit)
  const sheetRows = useMemo(() => ({ count: rows.length, at: (index: number) => rows[index], key: ({ id }: TableRow) => id }), [rows])
  const sheet = useSpreadsheet(columns, sheetRows)
  const seesImpact = useMaySeeImpact('price_adjustment')
  const [confirmImpact, dialog] = useImpact()
  const confirm = (values: SurchargeValuesInput) =>
    confirmImpact({ changeKind: 'values', name: row.name, request: impactOf.surchargeTable(row.id, { values }), skipsIfUnchanged: true })
  const { save, saving } = useSaveValues(row, version, sheet, seesImpact ? confirm : undefined)
  const dirty = sheet.changes.size > 0
  useLeaveGuard(dirty)

  const next = addMonths(now, 1)
  function prefill() {
    const prefills = prefillValues(rows, sheet.changes, next, now)
    const params = { month: monthText(now, lang) }
    if (prefills.length === 0) return notify.info(t('sheet.nothingToPrefill', params))
    const writes = prefills.map(({ row: tableRow, value }) => ({
      key: tableRow.id,
      row: tableRow,
      at: rows.indexOf(tableRow),
      column: next,
      text: formatDecimal(value, lang, 4, false),
    }))
    sheet.dispatch({ type: 'write', writes, columns: sheet.byId, lang })
    notify.info(t('sheet.prefilled', { ...params, count: prefills.length }))
  }

  async function discard() {
    if (await askToLeave()) sheet.discard()
  }

  const adder = mayEdit && (
    <Suspense fallback={null}>
      <AddRow keyedBy={row.keyed_by} excludedIds={rows.map(({ id }) => id)} add={add} />
    </Suspense>
  )
  if (rows.length === 0)
    return (
      <EmptyState icon={surchargeTable.icon} title={t('sheet.empty')} action={adder}>
        {t('sheet.emptyBody')}
      </EmptyState>
    )
  return (
    <Stack spacing={1.5}>
      {mayEdit && (
        <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
          <BusyButton
            variant="contained"
            startIcon={<Save size={18} aria-hidden />}
            busy={saving}
            disabled={!dirty}
            onClick={() => void save()}
          >
            {t('common:actions.save')}
          </BusyButton>
          <Button variant="outlined" disabled={!dirty || saving} onClick={() => void discard()}>
            {t('sheet.discard')}
          </Button>
          {sheet.byId.has(next) && (
            <Button variant="outlined" startIcon={<CopyPlus size={18} aria-hidden />} onClick={prefill}>
              {t('sheet.prefill', { month: monthText(next, lang) })}
            </Button>
          )}
          {adder}
        </Stack>
      )}
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Button color="inherit" startIcon={<ChevronLeft size={18} aria-hidden />} onClick={() => setStart(addMonths(start, -STEP))}>
          {t('sheet.earlier')}
        </Button>
        <Typography variant="body2" aria-live="polite" sx={{ order: { xs: -1, sm: 0 }, width: { xs: '100%', sm: 'auto' } }}>
          {t('sheet.months', { from: monthText(start, lang), until: monthText(addMonths(start, MONTHS - 1), lang) })}
        </Typography>
        <Button color="inherit" endIcon={<ChevronRight size={18} aria-hidden />} onClick={() => setStart(addMonths(start, STEP))}>
          {t('sheet.later')}
        </Button>
        <Typography variant="caption" color="textSecondary" sx={{ ml: { md: 'auto' } }}>
          {t('sheet.unit')}
        </Typography>
      </Stack>
      <Box sx={{ height: { xs: 440, md: 'calc(100vh - 376px)' }, minHeight: 320, display: 'flex', flexDirection: 'column' }}>
        <Spreadsheet
          sheet={sheet}
          label={label}
          name="surchargeTable"
          readOnly={!mayEdit}
          {...(mayEdit && { onSave: () => void save() })}
        />
      </Box>
      {dialog}
    </Stack>
  )
}

function useColumns(row: SurchargeTable, months: readonly Month[], mayEdit: boolean) {
  const { t } = useTranslation('surchargeTables')
  const labels = useLabels('surchargeTables')
  const { lang } = useFormat()
  return useMemo(() => {
    const missing = new Set(row.missing.map(({ key, month }) => `${key.id} ${month}`))
    const inherited = ({ id, months: monthValues }: TableRow, month: Month) => {
      const monthValue = monthValues.get(month)
      if (monthValue?.base)
        return (
          <Box
            component="span"
            title={t('sheet.inherited', { name: monthValue.base })}
            sx={{ color: 'text.secondary', fontStyle: 'italic' }}
          >
            {formatDecimal(monthValue.value, lang, 4, true, 2)}
          </Box>
        )
      if (!missing.has(`${id} ${month}`)) return null
      return (
        <Box component="span" sx={{ color: 'warning.main', fontWeight: 600 }}>
          {t('sheet.gone')}
        </Box>
      )
    }
    const name = labels.field(row.keyed_by === 'material' ? 'material_id' : 'article_type_id')
    return tableColumns(months, { name, month: (month) => monthText(month, lang), inherited }, mayEdit)
  }, [row, months, mayEdit, t, labels, lang])
}
