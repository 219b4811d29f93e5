import Stack from '@mui/material/Stack'
import type { Control } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import type { PriceChange, PriceStep } from '~/api/schema'
import { DecimalField, EnumField } from '~/kit/form/fields'
import { nullableDecimal, z } from '~/kit/form/schema'

export const CHANGES = ['none', 'percent', 'per_ton', 'absolute'] as const
export type ChangeKind = (typeof CHANGES)[number]
const UNIT: Record<ChangeKind, string> = { none: '', percent: '%', per_ton: '€/t', absolute: '€' }

export const changeShape = {
  change: z.enum(CHANGES),
  by: nullableDecimal({ before: 8, after: 4 }),
  rounding: nullableDecimal({ before: 4, after: 4, above: 0 }),
}

export interface ChangeForm {
  change: ChangeKind
  by: string
  rounding: string
}

interface Change {
  change: ChangeKind
  by: string | null
  rounding: string | null
}

/** As on the wire. */
export const changeOf = ({ change, by, rounding }: Change): { change: PriceChange; rounding: PriceStep | null } => ({
  change: (change === 'none' || by === null ? {} : { [change]: by }) as PriceChange,
  rounding: rounding === null ? null : { to: rounding, direction: 'nearest' },
})

/** By how much prices change, and to what they are rounded then. */
export function ChangeFields<F extends ChangeForm, B>({ control }: { control: Control<F, unknown, B> }) {
  const own = control as unknown as Control<ChangeForm, unknown, B & object>
  const kind = useWatch({ control: own, name: 'change' })
  return (
    <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2}>
      <EnumField control={own as never} name={'change' as never} values={CHANGES} required />
      {kind !== 'none' && <DecimalField control={own as never} name={'by' as never} unit={UNIT[kind]} required />}
      <DecimalField control={own as never} name={'rounding' as never} unit="€" />
    </Stack>
  )
}
