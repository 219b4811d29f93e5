import Stack from '@mui/material/Stack'
import { type Control, useWatch } from 'react-hook-form'
import { type PriceChange, type PriceStep, priceRoundingValues, type Unit, unitValues } from '~/api/schema'
import { useUnits } from '~/api/units'
import { QuantityField } from '~/features/shared/quantity/quantity-field'
import { DecimalField, EnumField } from '~/kit/form/fields'
import { choice, nullableDecimal, z } from '~/kit/form/schema'

export const CHANGES = ['none', 'percent', 'per_ton', 'absolute', 'set'] as const
export type ChangeKind = (typeof CHANGES)[number]
const UNIT: Record<ChangeKind, string> = { none: '', percent: '%', per_ton: '€/t', absolute: '€', set: '€' }

export const changeShape = {
  change: z.enum(CHANGES),
  by: nullableDecimal({ before: 8, after: 4 }),
  price: nullableDecimal({ before: 8, after: 4, min: 0, invalid: 'amount' }),
  price_quantity: nullableDecimal({ above: 0 }),
  unit: choice(unitValues),
  rounding: nullableDecimal({ before: 4, after: 4, above: 0, invalid: 'amount' }),
  direction: z.enum(priceRoundingValues),
}

/** Reports fields that the chosen kind of change requires, even if other fields are invalid. */
export const changeRule = z.check<{ change: ChangeKind; by: string | null; price: string | null; price_quantity: string | null }>(
  ({ value, issues }) => {
    const requiredFields =
      value.change === 'set' ? (['price', 'price_quantity'] as const) : value.change === 'none' ? [] : (['by'] as const)
    for (const field of requiredFields) {
      if (value[field] === null) issues.push({ code: 'custom', input: null, path: [field], message: 'required' })
    }
  },
)

export interface ChangeForm {
  change: ChangeKind
  by: string
  price: string
  price_quantity: string
  unit: Unit
  rounding: string
  direction: (typeof priceRoundingValues)[number]
}

export const noChange = (change: ChangeKind): ChangeForm => ({
  change,
  by: '',
  price: '',
  price_quantity: '1',
  unit: 't',
  // a price is in whole cents unless the user chooses otherwise
  rounding: change === 'none' ? '' : '0.01',
  direction: 'nearest',
})

type Values = { [K in keyof ChangeForm]: ChangeForm[K] | null }

/** Parses a field with its own rules; null if it is invalid, so that no invalid preview is requested. */
const read = (field: 'by' | 'price' | 'price_quantity' | 'rounding', text: string | null) =>
  changeShape[field].safeParse(text ?? '').data ?? null

/** Converts the fields to the change that the API expects; null while they are incomplete or invalid. */
export function changeOf(values: Values): { change: PriceChange; rounding: PriceStep | null } | null {
  const { change, by, price, price_quantity, unit, rounding, direction } = values
  const to = read('rounding', rounding)
  if (rounding && to === null) return null
  const step = to === null ? null : { to, direction: direction ?? 'nearest' }
  if (change === 'none' || change === null) return { change: {}, rounding: step }
  if (change !== 'set') return read('by', by) === null ? null : { change: { [change]: by }, rounding: step }
  const [amount, quantity] = [read('price', price), read('price_quantity', price_quantity)]
  if (amount === null || quantity === null || unit === null) return null
  return { change: { set: { price: amount, price_quantity: quantity, unit } }, rounding: step }
}

const FIELDS: Readonly<Record<string, string>> = {
  change: 'change',
  'change.percent': 'by',
  'change.per_ton': 'by',
  'change.absolute': 'by',
  'change.set.price': 'price',
  'change.set.price_quantity': 'price_quantity',
  'change.set.unit': 'unit',
  'rounding.to': 'rounding',
}

/** Returns the field that an error's path refers to. */
export const fieldOf = (path: string) => FIELDS[path] ?? path

interface Props<F extends ChangeForm, B> {
  control: Control<F, unknown, B>
  /** Kinds of change to choose from. */
  kinds: readonly ChangeKind[]
}

/** Fields for the change of prices or their new value, and for rounding the result. */
export function ChangeFields<F extends ChangeForm, B>({ control, kinds }: Props<F, B>) {
  // cast so that any form with these fields is accepted
  const formControl = control as unknown as Control<ChangeForm, unknown, B & object>
  const [kind, rounding] = useWatch({ control: formControl, name: ['change', 'rounding'] })
  const units = useUnits().map(({ unit }) => unit)
  return (
    <>
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2}>
        <EnumField control={formControl} name="change" values={kinds} required />
        {kind === 'set' ? (
          <>
            <DecimalField control={formControl} name="price" unit="€" required />
            <QuantityField control={formControl} name="price_quantity" unit="unit" units={units} required />
          </>
        ) : (
          kind !== 'none' && <DecimalField control={formControl} name="by" unit={UNIT[kind]} required />
        )}
      </Stack>
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2}>
        <DecimalField control={formControl} name="rounding" unit="€" />
        {rounding !== '' && <EnumField control={formControl} name="direction" values={priceRoundingValues} required />}
      </Stack>
    </>
  )
}
