import { useLocation, useNavigate } from 'react-router'
import { keepTenant } from '~/session/tenant'

/** Returns a function that opens a tab of a record's page. */
export function useTabOf({ path }: { path: string }, tab: string): (row: { id: number }) => void {
  const navigate = useNavigate()
  const { search } = useLocation()
  return ({ id }) => void navigate({ pathname: `${path}/${id}/${tab}`, search: keepTenant(search) })
}
