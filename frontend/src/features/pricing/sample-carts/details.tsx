import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import type { SampleCart } from '~/api/schema'
import { DecimalField, TextField } from '~/kit/form/fields'
import { PageForm } from '~/kit/records/page-form'
import { useRecordPage } from '~/kit/records/record-page-context'
import { Card } from '~/kit/ui/card'
import { sampleCarts } from './api'
import { CartComparison } from './cart-comparison'
import { CartLines } from './lines'
import { sampleCart } from './resource'
import { headSchema, toForm } from './schema'

// carts are created in the calculator
const api = { one: sampleCarts.one, update: sampleCarts.change, create: () => Promise.reject(new Error('made in the calculator')) }

export default function SampleCartDetails() {
  const { t } = useTranslation('sampleCarts')
  const { row } = useRecordPage<SampleCart>()
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <CartComparison row={row} />
      <CartLines row={row} />
      <Card title={t('expectation')}>
        <Box sx={{ maxWidth: 560 }}>
          <PageForm resource={sampleCart} api={api} schema={headSchema} toForm={toForm}>
            {({ control }) => (
              <>
                <TextField control={control} name="name" required max={255} />
                <DecimalField control={control} name="expected_total" unit="€" />
              </>
            )}
          </PageForm>
        </Box>
      </Card>
    </Box>
  )
}
