import { FileInput } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    imports: typeof import('~/i18n/de/imports.json')
  }
}

export const importing = resource('/api/admin/imports', {
  ns: 'imports',
  path: '/imports',
  group: 'exchange',
  owner: 'tenants',
  rights: 'import',
  record: 'import',
  irreversible: 'everything',
  icon: FileInput,
  help: 'import-results',
  title: (row) => row.name || row.upload_file,
})
