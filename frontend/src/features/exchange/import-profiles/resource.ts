import { FileCog } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    importProfiles: typeof import('~/i18n/de/importProfiles.json')
  }
}

export const importProfile = resource('/api/admin/import-profiles', {
  ns: 'importProfiles',
  path: '/import-profiles',
  group: 'exchange',
  owner: 'tenants',
  tenant: 'required',
  rights: 'import',
  sharesPermissions: true,
  changedBy: 'create',
  record: 'import_profile',
  icon: FileCog,
  help: 'import',
  title: (row) => row.name,
})
