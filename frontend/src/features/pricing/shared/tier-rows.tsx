import type { ReactNode } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { useUnits } from '~/api/units'
import { QuantityField } from '~/features/shared/quantity/quantity-field'
import { useLabels } from '~/i18n/labels'
import { DecimalField } from '~/kit/form/fields'
import { useFormScope } from '~/kit/form/form-context'
import { RowsEditor } from '~/kit/form/rows-editor'
import type { TierForm } from './tier'

const COLUMNS = [
  { name: 'quantity_from', required: true },
  { name: 'price', required: true },
  { name: 'price_quantity', required: true },
]

interface Props<F extends FieldValues, B> {
  control: Control<F, unknown, B>
  /** Name of the field with the tiers; a tier's texts are at `tiers.row` in the form's namespace. */
  name: FieldPath<F>
  next: () => TierForm
  lead?: ReactNode
}

/** Rows for the prices from larger quantities on. */
export function TierRows<F extends FieldValues, B>({ control, name, next, lead }: Props<F, B>) {
  const units = useUnits().map(({ unit }) => unit)
  const { text } = useLabels(useFormScope().ns)
  // cast so that the fields accept any form with tiers
  const own = control as unknown as Control<Record<string, TierForm[]>>
  const at = (row: number, field: keyof TierForm) => `${name}.${row}.${field}` as const
  return (
    <RowsEditor
      control={own}
      name={name as string}
      columns={COLUMNS}
      optional
      empty={next}
      rowLabel={(number) => text('tiers.row', { number })}
      removeLabel={(number) => text('tiers.remove', { number })}
      lead={lead}
    >
      {(row, hiddenLabel) => (
        <>
          <QuantityField
            control={own}
            name={at(row, 'quantity_from')}
            unit={at(row, 'quantity_unit')}
            units={units}
            required
            hiddenLabel={hiddenLabel}
          />
          <DecimalField control={own} name={at(row, 'price')} unit="€" required hiddenLabel={hiddenLabel} />
          <QuantityField
            control={own}
            name={at(row, 'price_quantity')}
            unit={at(row, 'unit')}
            units={units}
            required
            hiddenLabel={hiddenLabel}
          />
        </>
      )}
    </RowsEditor>
  )
}
