import { availabilityTypeValues, type Stock, type Unit, unitValues } from '~/api/schema'
import { currentLanguage } from '~/i18n/i18n'
import { bodySchema, choice, nullableDecimal, nullableEnum, ref, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
import { formatLeadTime } from '~/lib/duration'
import { parseLeadTime } from '~/lib/lead-time'

export type StockBody = BodyOf<'/api/admin/stocks'>

/** Schema of a lead time, typed in working days; the output is in whole minutes. Empty becomes null. */
export const leadTime = () =>
  z.pipe(
    z.string().check(z.refine((value) => value.trim() === '' || parseLeadTime(value) !== null, 'stocks:leadTime')),
    z.transform((value: string) => parseLeadTime(value)),
  )

const side = () => nullableDecimal({ above: 0, before: 9 })

const body = bodySchema<StockBody>()({
  article_id: ref(),
  article_number: z.null(),
  warehouse_id: ref(),
  warehouse_short_code: z.null(),
  availability_type: choice(availabilityTypeValues),
  quantity: nullableDecimal({ min: 0, invalid: 'amount' }),
  quantity_unit: nullableEnum(unitValues),
  lead_time: leadTime(),
  length: side(),
  width: side(),
  height: side(),
})

const checkedBody = body.check(
  z.check(({ value: { availability_type, quantity }, issues }) => {
    if (availability_type === 'quantity' && quantity === null)
      issues.push({ code: 'custom', input: quantity, path: ['quantity'], message: 'required' })
  }),
)

/** Schema of a stock; the quantity is sent only if availability is given by quantity. */
export const stockSchema = z.pipe(
  checkedBody,
  z.transform((stock): StockBody => (stock.availability_type === 'quantity' ? stock : { ...stock, quantity: null, quantity_unit: null })),
)

export const toForm = (row: Stock | null) => ({
  article_id: row?.article.id ?? null,
  article_number: null,
  warehouse_id: row?.warehouse.id ?? null,
  warehouse_short_code: null,
  availability_type: row?.availability_type ?? ('quantity' as const),
  quantity: row?.quantity ?? '',
  quantity_unit: row?.quantity_unit ?? ('' as Unit | ''),
  lead_time: row === null || row.lead_time === null ? '' : formatLeadTime(row.lead_time, currentLanguage()),
  length: row?.length ?? '',
  width: row?.width ?? '',
  height: row?.height ?? '',
})
export type StockForm = ReturnType<typeof toForm>

/** Copy of a stock without the warehouse, since its own has one already. */
export const toCopy = (row: Stock): StockForm => ({ ...toForm(row), warehouse_id: null, quantity: '' })
