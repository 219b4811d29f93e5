import { regionValues, type Warehouse } from '~/api/schema'
import { bodySchema, clockTime, duration, nullableEnum, nullableText, shortCode, text } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
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
