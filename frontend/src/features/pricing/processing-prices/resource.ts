import { ScissorsLineDashed } from 'lucide-react'
import type { ProcessingPrice } from '~/api/schema'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    processingPrices: typeof import('~/i18n/de/processingPrices.json')
  }
}

export const processingPrice = resource('/api/admin/processing-prices', {
  ns: 'processingPrices',
  path: '/processing-prices',
  group: 'prices',
  owner: 'tenants',
  tenant: 'required',
  rights: 'listing',
  sharesPermissions: true,
  record: 'processing_price',
  icon: ScissorsLineDashed,
  help: 'surcharges',
  title: ({ processing, article_type }: ProcessingPrice) => [processing.name, ...(article_type ? [article_type.name] : [])].join(' · '),
  flag: 'processings',
})
