import { screens } from '~/kit/resource/resource'
import { tradeDimension } from './resource'

export default screens(tradeDimension, {
  api: async () => (await import('./api')).tradeDimensions,
  list: () => import('./list'),
  form: () => import('./form'),
})
