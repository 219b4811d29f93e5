import Box from '@mui/material/Box'
import { PageForm } from '~/kit/records/page-form'
import { shippingLegs } from './api'
import { departureEntries, exceptionEntries } from './entries'
import { ShippingLegFields } from './fields'
import { shippingLeg } from './resource'
import { type ShippingLegBody, shippingLegSchema, toForm } from './schema'

type Saved = ShippingLegBody & { version: number }

const api = {
  one: shippingLegs.one,
  create: () => Promise.reject(new Error('created over the list')),
  update: (id: number, { both_directions, ...body }: Saved) => shippingLegs.update(id, body),
}

/** Data of a leg. */
export default function ShippingLegDetails() {
  return (
    <Box
      sx={{ display: 'grid', gap: { xs: 3, lg: 4 }, gridTemplateColumns: { lg: 'minmax(0, 640px) minmax(0, 1fr)' }, alignItems: 'start' }}
    >
      <PageForm
        of={shippingLeg}
        api={api}
        schema={shippingLegSchema}
        toForm={toForm}
        entries={{ departures: departureEntries, exceptions: exceptionEntries }}
      >
        {(form) => <ShippingLegFields form={form} />}
      </PageForm>
    </Box>
  )
}
