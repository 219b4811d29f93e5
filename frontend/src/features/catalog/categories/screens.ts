import { screens } from '~/kit/records/resource'
import { category } from './resource'

export default screens(category, {
  texts: ['tree', 'reorder', 'image'],
  api: async () => (await import('./api')).categories,
  list: () => import('./list'),
  form: () => import('./form'),
})
