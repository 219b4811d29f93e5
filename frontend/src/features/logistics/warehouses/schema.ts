import { regionValues, type Warehouse } from '~/api/schema'
import { bodySchema, choice, clockTime, duration, nullableEnum, nullableText, shortCode, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
import { isDay } from '~/lib/days'
import { formatDuration } from '~/lib/duration'

export type WarehouseBody = BodyOf<'/api/admin/warehouses'>

export const warehouseSchema = bodySchema<WarehouseBody>()({
  name: text(),
  short_code: shortCode(),
  preparation_shift_time: clockTime(),
  preparation_duration_before: duration(),
  address: nullableText(),
  region: nullableEnum(regionValues),
})

export const toForm = (row: Warehouse | null) => ({
  name: row?.name ?? '',
  short_code: row?.short_code ?? '',
  preparation_shift_time: row?.preparation_shift_time ?? '',
  preparation_duration_before: row ? formatDuration(row.preparation_duration_before) : '',
  address: row?.address ?? '',
  region: row?.region ?? ('' as const),
})

export const SCOPES = ['one', 'all'] as const

const day = z.string().check(
  z.minLength(1, 'required'),
  z.refine((value) => value === '' || isDay(value), 'date'),
)

export const closureSchema = z.object({ date: day, name: text(), scope: choice(SCOPES) })

export type ClosureBody = z.output<typeof closureSchema>
export type ClosureForm = z.input<typeof closureSchema>
