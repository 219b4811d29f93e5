import { RulerDimensionLine } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    tradeDimensions: typeof import('~/i18n/de/tradeDimensions.json')
  }
}

export const tradeDimension = resource('/api/admin/trade-dimensions', {
  ns: 'tradeDimensions',
  path: '/tradeDimensions',
  group: 'masterData',
  owner: 'platform',
  rights: 'trade_dimension',
  record: 'trade_dimension',
  icon: RulerDimensionLine,
  help: 'catalogue',
  title: (row) => row.name,
})
