import { type To, useLocation } from 'react-router'
import { shippingLeg } from '~/features/logistics/shipping-legs/resource'
import { shippingNode } from '~/features/logistics/shipping-nodes/resource'
import { keepTenant } from '~/session/tenant'

/** Paths of records of the shipping network, keeping the chosen tenant in the query string. */
export function useNetworkPaths(): { node: (id: number) => To; leg: (id: number) => To } {
  const search = keepTenant(useLocation().search)
  return {
    node: (id) => ({ pathname: `${shippingNode.path}/${id}`, search }),
    leg: (id) => ({ pathname: `${shippingLeg.path}/${id}`, search }),
  }
}
