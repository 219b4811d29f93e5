import { screens, withTexts } from '~/kit/records/resource'
import { attribute } from './resource'

export default screens(attribute, {
  api: async () => (await import('./api')).attributes,
  list: () => import('./list'),
  form: () => import('./form'),
  overlays: { order: withTexts(() => import('./order'), 'reorder') },
})
