import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ShippingLeg } from '~/api/schema'
import { shippingNodes } from '~/features/logistics/shipping-nodes/api'
import { RecordForm } from '~/kit/records/record-form'
import { shippingLegs } from './api'
import { Directions } from './directions'
import { departureEntries, exceptionEntries } from './entries'
import { ShippingLegFields } from './fields'
import { shippingLeg } from './resource'
import { type ShippingLegBody, shippingLegSchema, toCopy, toForm } from './schema'
import { SENDER } from './sender'

/** Creates a leg, and its way back if that is wished; the one that exists is left alone. */
async function create({ sending_node_id, ...body }: ShippingLegBody): Promise<ShippingLeg> {
  const { created } = await shippingNodes.createLegs(sending_node_id, body)
  const [leg] = created
  if (!leg) throw new Error('the server creates a leg or refuses')
  return leg
}

// one that exists has a page of its own
const api = { one: shippingLegs.one, create, update: () => Promise.reject(new Error('changed on its page')) }

/** The drawer that creates a leg, from the node that its address names. */
export default function ShippingLegForm() {
  const [params] = useSearchParams()
  const [sender] = useState(() => Number(params.get(SENDER)) || null)
  return (
    <RecordForm
      of={shippingLeg}
      api={api}
      schema={shippingLegSchema}
      toForm={(row) => ({ ...toForm(row), sending_node_id: sender })}
      copy={toCopy}
      width="md"
      entries={{ departures: departureEntries, exceptions: exceptionEntries }}
    >
      {(form) => <ShippingLegFields form={form} directions={<Directions control={form.control} />} />}
    </RecordForm>
  )
}
