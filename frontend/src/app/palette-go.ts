import { useLocation, useNavigate } from 'react-router'
import type { PaletteItem } from '~/kit/palette/palette-dialog'
import { keepTenant } from '~/session/tenant'

export interface Going extends PaletteItem {
  path?: string
}

/** Leads somewhere, with the chosen tenant. */
export function useLead() {
  const navigate = useNavigate()
  const { search } = useLocation()
  return (pathname: string, filter: Record<string, string> = {}) => {
    const params = new URLSearchParams(keepTenant(search))
    for (const [name, value] of Object.entries(filter)) params.set(name, value)
    void navigate({ pathname, search: params.toString() })
  }
}

/** An item that leads somewhere. */
export function useGo() {
  const lead = useLead()
  return (item: Omit<PaletteItem, 'run'>, path: string): Going => ({ ...item, path, run: () => lead(path) })
}
