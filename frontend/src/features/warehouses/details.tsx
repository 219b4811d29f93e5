import Box from '@mui/material/Box'
import { PageForm } from '~/kit/record-page/page-form'
import { warehouses } from './api'
import { WarehouseFields } from './fields'
import { ReadinessCard } from './readiness-card'
import { warehouse } from './resource'
import { toForm, warehouseSchema } from './schema'

/** What is said of it, and what follows for an order. */
export default function WarehouseDetails() {
  return (
    <Box
      sx={{ display: 'grid', gap: { xs: 3, lg: 4 }, gridTemplateColumns: { lg: 'minmax(0, 520px) minmax(0, 1fr)' }, alignItems: 'start' }}
    >
      <PageForm of={warehouse} api={warehouses} schema={warehouseSchema} toForm={toForm}>
        {({ control }) => <WarehouseFields control={control} fresh={false} />}
      </PageForm>
      <ReadinessCard />
    </Box>
  )
}
