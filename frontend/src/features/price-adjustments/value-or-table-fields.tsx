import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useController, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { calculationTypeValues } from '~/api/schema'
import { surchargeTableRef } from '~/features/surcharge-tables/ref'
import { DecimalField, EnumField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { OF_TABLES, type ValueForm } from './value-or-table'

interface Props<T extends FieldValues, C> {
  control: Control<T, C, FieldValues>
  /** What stands behind the value. */
  unit: ReactNode
}

/** How much an adjustment is, and how that is counted: a value, or a surcharge table, which is by tonne and leaves no value. */
export function ValueOrTableFields<T extends FieldValues & ValueForm, C>({ control, unit }: Props<T, C>) {
  const { t } = useTranslation('priceAdjustments')
  const name = (field: keyof ValueForm) => field as FieldPath<T>
  const any = control as unknown as Control<ValueForm>
  const { field: value } = useController({ control: any, name: 'value' })
  const { field: calculation } = useController({ control: any, name: 'calculation_type' })
  const byTable = useWatch({ control: any, name: 'surcharge_table_id' }) !== null

  function onPick(table: number | null) {
    if (table === null) return
    value.onChange('')
    calculation.onChange(OF_TABLES)
  }

  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        alignItems: 'start',
      }}
    >
      <EnumField
        control={control}
        name={name('calculation_type')}
        required
        values={calculationTypeValues}
        blocked={(type) => (byTable && type !== OF_TABLES ? t('valueOrTable.tableIsPerTon') : null)}
      />
      <DecimalField control={control} name={name('value')} required={!byTable} disabled={byTable} unit={unit} />
      <RefField control={control} name={name('surcharge_table_id')} source={surchargeTableRef} onPick={onPick} />
    </Box>
  )
}
