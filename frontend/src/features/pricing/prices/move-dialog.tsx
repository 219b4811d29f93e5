import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Price } from '~/api/schema'
import { movedPrice, type PriceMove } from '~/features/pricing/shared/change-price'
import { useFormat } from '~/i18n/use-format'
import { DecimalField, EnumField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { blockOf } from '~/kit/sheet/selection'
import type { Sheet } from '~/kit/sheet/use-spreadsheet'
import { notify } from '~/kit/ui/snackbar'
import { isDecimal } from '~/lib/decimal'
import { PRICE_SIDES } from './sheet'

const KINDS = ['percent', 'per_ton'] as const
const ROUNDINGS = ['cents', 'exact'] as const

interface MoveForm {
  side: (typeof PRICE_SIDES)[number]
  move: PriceMove['kind']
  by: string
  rounding: (typeof ROUNDINGS)[number]
}

interface Props {
  sheet: Sheet<Price>
  onClose: () => void
}

/** Loaded rows of the selection. */
function selectedRows({ rows, state }: Sheet<Price>): { row: Price; at: number }[] {
  const { top, bottom } = blockOf(state.selection)
  return Array.from({ length: bottom - top + 1 }, (_, index) => top + index).flatMap((at) => {
    const row = rows.at(at)
    return row ? [{ row, at }] : []
  })
}

/** Changes the prices of the selected rows in their cells; they are saved with the sheet. */
export default function MoveDialog({ sheet, onClose }: Props) {
  const { t } = useTranslation('prices')
  const format = useFormat()
  const { control, handleSubmit } = useForm<MoveForm>({
    defaultValues: { side: 'external_price', move: 'percent', by: '', rounding: 'cents' },
  })
  const values = useWatch({ control }) as MoveForm
  const chosen = selectedRows(sheet)
  const move: PriceMove | null = isDecimal(values.by)
    ? { kind: values.move, by: values.by, places: values.rounding === 'cents' ? 2 : 4 }
    : null
  const current = (row: Price, part: 'price' | 'price_quantity' | 'unit') => {
    const column = `${values.side}.${part}`
    return sheet.changes.get(row.id)?.cells.get(column)?.value ?? row[values.side]?.[part] ?? ''
  }
  const writes = chosen.flatMap(({ row, at }) => {
    const price = current(row, 'price')
    if (!move || !isDecimal(price)) return []
    const unit = current(row, 'unit') || row.article.price_unit
    const money = { price, price_quantity: current(row, 'price_quantity') || '1', unit: unit as Price['article']['price_unit'] }
    const moved = movedPrice(money, move)
    const column = sheet.byId.get(`${values.side}.price`)
    return moved === null || !column ? [] : [{ key: row.id, row, at, column: column.id, text: column.text(moved, sheet.lang) }]
  })
  const skippedCount = chosen.length - writes.length

  function apply() {
    sheet.dispatch({ type: 'write', writes, columns: sheet.byId, lang: sheet.lang })
    notify.success(t('move.done', { count: writes.length, number: format.decimal(writes.length) }))
    onClose()
  }

  return (
    <FormDialog
      ns="prices"
      title={t('move.title')}
      description={t('move.about', { count: chosen.length, number: format.decimal(chosen.length) })}
      action={t('move.action')}
      pending={false}
      error={null}
      disabled={writes.length === 0}
      onSubmit={() => void handleSubmit(apply)()}
      onClose={onClose}
    >
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2}>
        <EnumField control={control} name="side" values={PRICE_SIDES} required />
        <EnumField control={control} name="move" values={KINDS} required />
        <DecimalField control={control} name="by" unit={values.move === 'percent' ? '%' : '€/t'} required />
      </Stack>
      <EnumField control={control} name="rounding" values={ROUNDINGS} required />
      {move && skippedCount > 0 && (
        <Typography variant="body2" role="status">
          {t('move.left', { count: skippedCount, number: format.decimal(skippedCount) })}
        </Typography>
      )}
    </FormDialog>
  )
}
