import { screens } from '~/kit/records/resource'
import { stock } from './resource'

export default screens(stock, {
  api: async () => (await import('./api')).stocks,
  list: () => import('./list'),
  form: () => import('./form'),
})
