import { useLocation, useNavigate } from 'react-router'
import type { PaletteItem } from '~/kit/palette/palette-dialog'
import { listAddress } from '~/kit/records/link'
import { keepTenant } from '~/session/tenant'

export interface Going extends PaletteItem {
  path?: string
}

/** Returns a function that navigates and carries the chosen tenant along. */
export function useLead() {
  const navigate = useNavigate()
  const { search } = useLocation()
  return (pathname: string, filters: Record<string, string> = {}) =>
    void navigate(listAddress(pathname, filters, { search: keepTenant(search) }))
}

/** Returns a function that makes an item which navigates. */
export function useGo() {
  const lead = useLead()
  return (item: Omit<PaletteItem, 'run'>, path: string): Going => ({ ...item, path, run: () => lead(path) })
}
