import { screens } from '~/kit/records/resource'
import { material } from './resource'

export default screens(material, {
  api: async () => (await import('./api')).materials,
  list: () => import('./list'),
  form: () => import('./form'),
})
