import type { Control } from 'react-hook-form'
import { type SurchargeTable, surchargeKeyedByValues, surchargeKindValues } from '~/api/schema'
import { EnumField, TextField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { surchargeTableRef } from './ref'
import type { SurchargeTableBody, toForm } from './schema'

interface Props {
  control: Control<ReturnType<typeof toForm>, unknown, SurchargeTableBody>
  /** Saved table; null for a new one. */
  row: SurchargeTable | null
}

export function SurchargeTableFields({ control, row }: Props) {
  const fixed = row !== null && (row.value_count > 0 || row.base_table !== null)
  return (
    <>
      <TextField control={control} name="name" required max={255} autoFocus={row === null} />
      <EnumField control={control} name="kind" values={surchargeKindValues} required />
      <EnumField control={control} name="keyed_by" values={surchargeKeyedByValues} required disabled={fixed} />
      <RefField control={control} name="base_table_id" source={surchargeTableRef} {...(row && { excludedIds: [row.id] })} />
    </>
  )
}
