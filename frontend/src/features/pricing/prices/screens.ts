import { screens } from '~/kit/records/resource'
import { price } from './resource'

export default screens(price, {
  texts: ['spreadsheet', 'listTools'],
  api: async () => (await import('./api')).prices,
  list: () => import('./list'),
})
