import { FlaskConical } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    materials: typeof import('~/i18n/de/materials.json')
  }
}

export const material = resource('/api/admin/materials', {
  ns: 'materials',
  path: '/materials',
  group: 'masterData',
  owner: 'platform',
  rights: 'material',
  record: 'material',
  icon: FlaskConical,
  help: 'catalogue',
  title: (row) => row.name,
  detail: (row) => row.material_number,
})
