import type { UseFormReturn } from 'react-hook-form'
import { regionValues } from '~/api/schema'
import { anyWarehouseRef } from '~/features/logistics/warehouses/ref'
import { CheckField, EnumField, TextField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { CoordinatesField } from './coordinates-field'
import type { ShippingNodeBody, ShippingNodeForm } from './schema'

interface Props {
  form: UseFormReturn<ShippingNodeForm, unknown, ShippingNodeBody>
  /** True if the node is new. */
  isNew: boolean
}

export function ShippingNodeFields({ form, isNew }: Props) {
  const { control } = form
  return (
    <>
      <TextField control={control} name="name" required max={255} autoFocus={isNew} />
      <TextField control={control} name="address" max={255} />
      <CoordinatesField form={form} />
      <CheckField control={control} name="active" />
      <RefField control={control} name="warehouse_id" source={anyWarehouseRef} />
      <EnumField control={control} name="region" values={regionValues} />
    </>
  )
}
