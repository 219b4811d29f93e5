import { type Control, useWatch } from 'react-hook-form'
import { DecimalField } from '~/kit/form/fields'
import type { PriceAdjustmentBody, PriceAdjustmentForm } from './schema'
import { UNITS } from './use-value-text'

/** How much is added or taken off, in the unit of its calculation. */
export function ValueField({ control }: { control: Control<PriceAdjustmentForm, unknown, PriceAdjustmentBody> }) {
  const calculation = useWatch({ control, name: 'calculation_type' })
  return <DecimalField control={control} name="value" required unit={UNITS[calculation]} />
}
