import { RecordForm } from '~/kit/records/record-form'
import { shippingNodes } from './api'
import { ShippingNodeFields } from './fields'
import { shippingNode } from './resource'
import { shippingNodeSchema, toForm } from './schema'

export default function ShippingNodeForm() {
  return (
    <RecordForm resource={shippingNode} api={shippingNodes} schema={shippingNodeSchema} toForm={toForm}>
      {(form) => <ShippingNodeFields form={form} isNew />}
    </RecordForm>
  )
}
