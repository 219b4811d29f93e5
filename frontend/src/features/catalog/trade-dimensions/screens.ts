import { screens } from '~/kit/records/resource'
import { tradeDimension } from './resource'

export default screens(tradeDimension, {
  api: async () => (await import('./api')).tradeDimensions,
  list: () => import('./list'),
  form: () => import('./form'),
})
