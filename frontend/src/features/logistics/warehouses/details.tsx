import Box from '@mui/material/Box'
import { Suspense } from 'react'
import { PageForm } from '~/kit/records/page-form'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { Waiting } from '~/kit/ui/waiting'
import { warehouses } from './api'
import { WarehouseFields } from './fields'
import { warehouse } from './resource'
import { toForm, warehouseSchema } from './schema'

const ReadinessCard = lazyWithTexts(() => import('./readiness-card'))

/** Data of a warehouse, with the time at which an order would be ready. */
export default function WarehouseDetails() {
  return (
    <Box
      sx={{ display: 'grid', gap: { xs: 3, lg: 4 }, gridTemplateColumns: { lg: 'minmax(0, 520px) minmax(0, 1fr)' }, alignItems: 'start' }}
    >
      <PageForm resource={warehouse} api={warehouses} schema={warehouseSchema} toForm={toForm}>
        {({ control }) => <WarehouseFields control={control} isNew={false} />}
      </PageForm>
      <Suspense fallback={<Waiting />}>
        <ReadinessCard />
      </Suspense>
    </Box>
  )
}
