import { type To, useLocation } from 'react-router'
import { useCan } from '~/session/me'
import { keepTenant } from '~/session/tenant'
import { externalApisItem } from './screen'

/** Path of the page of the external API; null for users who may not configure it. */
export function useExternalApiPage(): To | null {
  const may = useCan(...externalApisItem.permissions)
  const { search } = useLocation()
  return may ? { pathname: externalApisItem.path, search: keepTenant(search) } : null
}
