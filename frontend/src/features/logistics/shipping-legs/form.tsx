import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CreatedShippingLegs, ShippingLeg } from '~/api/schema'
import { useNetworkPaths } from '~/features/logistics/shared/use-network-paths'
import { shippingNodes } from '~/features/logistics/shipping-nodes/api'
import type { SavedMessage } from '~/kit/form/use-save'
import { RecordForm } from '~/kit/records/record-form'
import { useAddressParams } from '~/lib/address-params'
import { shippingLegs } from './api'
import { Directions } from './directions'
import { departureEntries, exceptionEntries } from './entries'
import { ShippingLegFields } from './fields'
import { shippingLeg } from './resource'
import { type ShippingLegBody, shippingLegSchema, toCopy, toForm } from './schema'
import { SENDER } from './sender'

/** Creates a leg, and its way back on request, unless that exists already. */
function useCreate() {
  const { t } = useTranslation('shippingLegs')
  const paths = useNetworkPaths()
  const answer = useRef<CreatedShippingLegs>(null)

  async function create({ sending_node_id, ...body }: ShippingLegBody): Promise<ShippingLeg> {
    answer.current = await shippingNodes.createLegs(sending_node_id, body)
    const [leg] = answer.current.created
    if (!leg) throw new Error('the server creates a leg or refuses')
    return leg
  }

  function saved(): SavedMessage | null {
    if (answer.current === null) return null
    const { created } = answer.current
    const links = created.map(({ id, name }) => ({ label: name, to: paths.leg(id) }))
    return { text: t('created', { count: created.length }), links, answer: answer.current }
  }

  // existing legs are edited on their own page
  const update = () => Promise.reject(new Error('changed on its page'))
  return { api: { one: shippingLegs.one, create, update }, saved }
}

/** Drawer that creates a leg, starting at the node in the URL. */
export default function ShippingLegForm() {
  const [params] = useAddressParams()
  const { api, saved } = useCreate()
  const [sender] = useState(() => Number(params.get(SENDER)) || null)
  return (
    <RecordForm
      resource={shippingLeg}
      api={api}
      saved={saved}
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
