import { linkTo } from '~/kit/records/link'
import { shippingLeg } from './resource'

/** In the address of what creates a leg: the node that it leaves from. */
export const SENDER = 'sender'

/** Address of a new leg from a node, over the list of the legs of that node. `search` is the query of the page that leads there. */
export function newLegFrom(node: number, search: string) {
  const list = linkTo(shippingLeg, { node_id: node }, { search })
  return { pathname: `${list.pathname}/new`, search: `${list.search}&${SENDER}=${node}` }
}
