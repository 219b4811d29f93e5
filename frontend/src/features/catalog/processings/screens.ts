import { screens } from '~/kit/records/resource'
import { processing } from './resource'

export default screens(processing, {
  api: async () => (await import('./api')).processings,
  list: () => import('./list'),
  form: () => import('./form'),
})
