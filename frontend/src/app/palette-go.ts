import { useLocation, useNavigate } from 'react-router'
import type { PaletteItem } from '~/kit/palette/palette-dialog'
import { listAddress } from '~/kit/records/link'
import { keepTenant } from '~/session/tenant'

export interface PathItem extends PaletteItem {
  path?: string
}

/** Returns a function that navigates and carries the chosen tenant along. */
export function useNavigateWithTenant() {
  const navigate = useNavigate()
  const { search } = useLocation()
  return (pathname: string, filters: Record<string, string> = {}) =>
    void navigate(listAddress(pathname, filters, { search: keepTenant(search) }))
}

/** Returns a function that builds a palette item that opens a path. */
export function usePathItem() {
  const navigateTo = useNavigateWithTenant()
  return (item: Omit<PaletteItem, 'run'>, path: string): PathItem => ({ ...item, path, run: () => navigateTo(path) })
}
