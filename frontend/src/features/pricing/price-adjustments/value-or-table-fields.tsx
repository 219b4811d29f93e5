import { type Control, type FieldPath, type FieldValues, useController, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { calculationTypeValues } from '~/api/schema'
import { surchargeTableRef } from '~/features/pricing/surcharge-tables/ref'
import { DecimalField, EnumField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { UNITS } from './use-value-text'
import { type AdjustmentValueForm, TABLE_CALCULATION } from './value-or-table'

/**
 * Fields for the value of an adjustment and its unit, or for a surcharge table, which replaces the value and
 * is always per tonne.
 */
export function ValueOrTableFields<T extends FieldValues & AdjustmentValueForm, C>({ control }: { control: Control<T, C, FieldValues> }) {
  const { t } = useTranslation('priceAdjustments')
  const name = (field: keyof AdjustmentValueForm) => field as FieldPath<T>
  const any = control as unknown as Control<AdjustmentValueForm>
  const { field: value } = useController({ control: any, name: 'value' })
  const { field: calculation } = useController({ control: any, name: 'calculation_type' })
  const type = useWatch({ control: any, name: 'calculation_type' })
  const usesTable = useWatch({ control: any, name: 'surcharge_table_id' }) !== null

  function onPick(table: number | null) {
    if (table === null) return
    value.onChange('')
    calculation.onChange(TABLE_CALCULATION)
  }

  return (
    <>
      <EnumField
        control={control}
        name={name('calculation_type')}
        required
        values={calculationTypeValues}
        blocked={(type) => (usesTable && type !== TABLE_CALCULATION ? t('valueOrTable.tableIsPerTon') : null)}
      />
      <DecimalField control={control} name={name('value')} required={!usesTable} disabled={usesTable} unit={UNITS[type]} />
      <RefField control={control} name={name('surcharge_table_id')} source={surchargeTableRef} onPick={onPick} />
    </>
  )
}
