import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Permission } from '~/api/schema'
import { allResources, useResourceNames } from '~/kit/records/resources'
import { type PermissionVerb, singles } from './areas'

type Translate = (key: string, params?: Record<string, unknown>) => string

/** Names of permissions for users; the test of the translations checks that none is missing. */
export function usePermissionTexts() {
  const { t: typed } = useTranslation('permissions')
  const names = useResourceNames()
  return useMemo(() => {
    const t = typed as unknown as Translate
    const area = (rights: string) => {
      const ns = allResources().find((resource) => resource.rights === rights && !resource.sharesPermissions)?.ns
      return ns ? names.many(ns) : t(`areas.${rights}`)
    }
    const verb = (name: PermissionVerb) => t(`verbs.${name}`)
    const full = (permission: Permission) => {
      if (singles.includes(permission)) return t(`singles.${permission.replace('.', '-')}`)
      const [areaKey = '', verbKey] = permission.split('.')
      return t('full', { area: area(areaKey), verb: verb(verbKey as PermissionVerb) })
    }
    return { area, verb, full }
  }, [typed, names])
}
