import { useAddressParams } from '~/lib/address-params'
import { parseId } from '~/lib/ids'
import { signal, useSignal } from '~/lib/signal'
import { readJson, writeJson } from '~/lib/storage'
import { useCan, useMe } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { DESTINATION_PARAM } from './destination-param'

/** Destination that a user has last chosen in this browser. */
interface Stored {
  user: number | null
  node: number | null
}

const KEY = 'destination'
/** Counter of stored choices, so that a choice that leaves the URL unchanged also renders the page again. */
const choices = signal(0)

/** True for users who can choose a destination and see delivery dates of stocks. */
export function useDelivers(): boolean {
  const { tenantId } = useTenant()
  return useCan('shipping_node.list', 'shipping_node.view', 'stock.list') && tenantId !== null
}

/** Shipping node that goods are sent to: the one in the URL, or the user's last choice. */
export function useDestination(): [number | null, (node: number | null) => void] {
  const { id: user } = useMe()
  const [params, changeParams] = useAddressParams()
  useSignal(choices)
  const stored = readJson<Stored>(KEY, { user: null, node: null })
  const destination = parseId(params.get(DESTINATION_PARAM)) ?? (stored.user === user ? stored.node : null)

  function setDestination(node: number | null) {
    writeJson(KEY, { user, node })
    choices.set(choices.get() + 1)
    changeParams((nextParams) => (node === null ? nextParams.delete(DESTINATION_PARAM) : nextParams.set(DESTINATION_PARAM, String(node))), {
      replace: true,
      preventScrollReset: true,
    })
  }

  return [destination, setDestination]
}
