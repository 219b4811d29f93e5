import { regionValues, type ShippingNode } from '~/api/schema'
import { bodySchema, type Issue, nullableDecimal, nullableEnum, nullableRef, nullableText, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
import { compareDecimals } from '~/lib/decimal'

export type ShippingNodeBody = BodyOf<'/api/admin/shipping-nodes'>

const coordinate = () => nullableDecimal({ before: 3, after: 6 })

const body = bodySchema<ShippingNodeBody>()({
  name: text(),
  address: nullableText(),
  latitude: coordinate(),
  longitude: coordinate(),
  active: z.boolean(),
  warehouse_id: nullableRef(),
  region: nullableEnum(regionValues),
})

const LIMITS = [
  ['latitude', 90],
  ['longitude', 180],
] as const

/** Requires both coordinates or neither, and each of them within its range. */
function coordinateRules(form: Pick<ShippingNodeBody, 'latitude' | 'longitude'>): Issue[] {
  const filledLimits = LIMITS.filter(([name]) => form[name])
  return LIMITS.flatMap(([name, limit]): Issue[] => {
    const value = form[name]
    if (!value) return filledLimits.length > 0 ? [{ path: [name], message: 'shippingNodes:rules.bothCoordinates' }] : []
    const isOutside = compareDecimals(value, String(limit)) > 0 || compareDecimals(value, String(-limit)) < 0
    return isOutside ? [{ path: [name], message: `shippingNodes:rules.${name}` }] : []
  })
}

export const shippingNodeSchema = body.check(
  z.check(
    ({ value, issues }) => {
      for (const issue of coordinateRules(value)) issues.push({ code: 'custom', input: value, ...issue })
    },
    // runs even if other fields are invalid, so that all errors are shown together
    { when: () => true },
  ),
)

export const toForm = (row: ShippingNode | null) => ({
  name: row?.name ?? '',
  address: row?.address ?? '',
  latitude: row?.latitude ?? '',
  longitude: row?.longitude ?? '',
  active: row?.active ?? true,
  warehouse_id: row?.warehouse?.id ?? null,
  region: row?.region ?? ('' as const),
})
export type ShippingNodeForm = ReturnType<typeof toForm>
