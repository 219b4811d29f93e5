import { screens } from '~/kit/resource/resource'
import { article } from './resource'

export default screens(article, {
  api: async () => (await import('./api')).articles,
  list: () => import('./list'),
  form: () => import('./form'),
})
