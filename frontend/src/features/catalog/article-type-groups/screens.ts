import { screens } from '~/kit/records/resource'
import { articleTypeGroup } from './resource'

export default screens(articleTypeGroup, {
  api: async () => (await import('./api')).articleTypeGroups,
  list: () => import('./list'),
  form: () => import('./form'),
})
