import { screens } from '~/kit/records/resource'
import { article } from './resource'

export default screens(article, {
  texts: ['image'],
  api: async () => (await import('./api')).articles,
  list: () => import('./list'),
  form: () => import('./form'),
})
