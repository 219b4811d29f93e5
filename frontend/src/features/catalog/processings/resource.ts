import { Scissors } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    processings: typeof import('~/i18n/de/processings.json')
  }
}

export const processing = resource('/api/admin/processings', {
  ns: 'processings',
  path: '/processings',
  group: 'masterData',
  owner: 'platform',
  rights: 'processing',
  record: 'processing',
  icon: Scissors,
  help: 'catalogue',
  title: (row) => row.name,
  detail: (row) => row.display_name,
  flag: 'processings',
})
