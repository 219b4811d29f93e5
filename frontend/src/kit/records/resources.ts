import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccess } from '~/session/access'
import type { Resource } from './resource'

let known: readonly Resource[] = []

/** Tells the kit, which knows none by itself, all resources: once, as soon as what lies behind the sign-in page is there. */
export const knowResources = (all: readonly Resource[]) => {
  known = all
}

export const allResources = () => known

type Owned = Pick<Resource, 'rights' | 'whose' | 'isPart' | 'changedBy' | 'permission'>

/** What the user may do with its records. */
export const useMay = ({ rights, whose, isPart, changedBy, permission }: Owned) =>
  useAccess(rights, { platform: whose === 'platform', isPart, changedBy, permission })

/** The contract's word for the records of a list: `article_types`. */
export const wireName = ({ wire }: Pick<Resource, 'wire'>) => wire.slice('/api/admin/'.length).replaceAll('-', '_')

/** How kinds of records are called, by the namespace of their texts; what has none is called by its own. */
export function useNames() {
  const { t: typed, i18n } = useTranslation('names')
  return useMemo(() => {
    const t = typed as unknown as (key: string) => string
    return {
      known: (ns: string) => i18n.exists(`names:${ns}.list`),
      one: (ns: string) => t(`${ns}.one`),
      many: (ns: string) => t(`${ns}.list`),
    }
  }, [typed, i18n])
}
