import { linkTo } from '~/kit/records/link'
import { shippingLeg } from './resource'

/** Query parameter with the node that a new leg starts at. */
export const SENDER = 'sender'

/**
 * Path of the drawer for a new leg from a node, above the list of that node's legs. `search` is the query
 * string of the linking page.
 */
export function newLegFrom(node: number, search: string) {
  const list = linkTo(shippingLeg, { node_id: node }, { search })
  return { pathname: `${list.pathname}/new`, search: `${list.search}&${SENDER}=${node}` }
}
