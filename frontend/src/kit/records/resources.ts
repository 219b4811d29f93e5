import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccess } from '~/session/access'
import type { Resource } from './resource'

let registered: readonly Resource[] = []

/**
 * Registers all resources, because the kit imports none itself. Called once, when the code behind the
 * sign-in page has loaded.
 */
export const registerResources = (all: readonly Resource[]) => {
  registered = all
}

export const allResources = () => registered

type Owned = Pick<Resource, 'rights' | 'owner' | 'isPart' | 'changedBy' | 'permission'>

/** Returns the operations that the user may perform on its records. */
export const useAllowedOperations = ({ rights, owner, isPart, changedBy, permission }: Owned) =>
  useAccess(rights, { platform: owner === 'platform', isPart, changedBy, permission })

/** Name of the resource in the contract: `article_types`. */
export const contractName = ({ apiPath }: Pick<Resource, 'apiPath'>) => apiPath.slice('/api/admin/'.length).replaceAll('-', '_')

/** Returns names of kinds of records by text namespace. */
export function useResourceNames() {
  const { t: typed, i18n } = useTranslation('names')
  return useMemo(() => {
    const t = typed as unknown as (key: string) => string
    return {
      hasName: (ns: string) => i18n.exists(`names:${ns}.list`),
      one: (ns: string) => t(`${ns}.one`),
      many: (ns: string) => t(`${ns}.list`),
    }
  }, [typed, i18n])
}
