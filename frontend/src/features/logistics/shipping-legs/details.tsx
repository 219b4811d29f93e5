import Box from '@mui/material/Box'
import { Suspense } from 'react'
import { PageForm } from '~/kit/records/page-form'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { Waiting } from '~/kit/ui/waiting'
import { shippingLegs } from './api'
import { departureEntries, exceptionEntries } from './entries'
import { ShippingLegFields } from './fields'
import { shippingLeg } from './resource'
import { type ShippingLegBody, shippingLegSchema, toForm } from './schema'

const NextDepartures = lazyWithTexts(() => import('./next-departures'), 'itinerary', 'warehouses')

type SavedLeg = ShippingLegBody & { version: number }

const api = {
  one: shippingLegs.one,
  create: () => Promise.reject(new Error('created over the list')),
  update: (id: number, { both_directions, ...body }: SavedLeg) => shippingLegs.update(id, body),
}

/** Data of a leg, and its next departures. */
export default function ShippingLegDetails() {
  return (
    <Box
      sx={{ display: 'grid', gap: { xs: 3, lg: 4 }, gridTemplateColumns: { lg: 'minmax(0, 640px) minmax(0, 1fr)' }, alignItems: 'start' }}
    >
      <PageForm
        resource={shippingLeg}
        api={api}
        schema={shippingLegSchema}
        toForm={toForm}
        entries={{ departures: departureEntries, exceptions: exceptionEntries }}
      >
        {(form) => <ShippingLegFields form={form} />}
      </PageForm>
      <Suspense fallback={<Waiting />}>
        <NextDepartures />
      </Suspense>
    </Box>
  )
}
