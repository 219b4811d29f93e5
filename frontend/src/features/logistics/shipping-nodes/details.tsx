import Box from '@mui/material/Box'
import { PageForm } from '~/kit/records/page-form'
import { shippingNodes } from './api'
import { ShippingNodeFields } from './fields'
import { shippingNode } from './resource'
import { shippingNodeSchema, toForm } from './schema'

/** Data of a node. */
export default function ShippingNodeDetails() {
  return (
    <Box sx={{ maxWidth: 520 }}>
      <PageForm resource={shippingNode} api={shippingNodes} schema={shippingNodeSchema} toForm={toForm}>
        {(form) => <ShippingNodeFields form={form} isNew={false} />}
      </PageForm>
    </Box>
  )
}
