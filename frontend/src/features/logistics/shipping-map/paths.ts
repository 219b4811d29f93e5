import { useLocation } from 'react-router'
import { keepTenant } from '~/session/tenant'

/** Addresses of nodes' records, with the tenant that was chosen. */
export function useNodePath(): (id: number) => { pathname: string; search: string } {
  const { search } = useLocation()
  return (id) => ({ pathname: `/shippingNodes/${id}`, search: keepTenant(search) })
}
