import { screens } from '~/kit/resource/resource'
import { warehouse } from './resource'

export default screens(warehouse, {
  api: async () => (await import('./api')).warehouses,
  list: () => import('./list'),
  form: () => import('./form'),
})
