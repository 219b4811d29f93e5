import type { Control } from 'react-hook-form'
import { regionValues } from '~/api/schema'
import { EnumField, TextField } from '~/kit/form/fields'
import { DurationField, TimeField } from '~/kit/form/time-fields'
import type { toForm, WarehouseBody } from './schema'

interface Props {
  control: Control<ReturnType<typeof toForm>, unknown, WarehouseBody>
  /** True if the warehouse is new. */
  isNew: boolean
}

export function WarehouseFields({ control, isNew }: Props) {
  return (
    <>
      <TextField control={control} name="name" required max={255} autoFocus={isNew} />
      <TextField control={control} name="short_code" required max={255} />
      <TimeField control={control} name="preparation_shift_time" />
      <DurationField control={control} name="preparation_duration_before" required />
      <TextField control={control} name="address" max={255} />
      <EnumField control={control} name="region" values={regionValues} />
    </>
  )
}
