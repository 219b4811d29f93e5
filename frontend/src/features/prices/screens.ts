import { screens } from '~/kit/resource/resource'
import { price } from './resource'

export default screens(price, {
  texts: ['spreadsheet', 'listTools'],
  api: async () => (await import('./api')).prices,
  list: () => import('./list'),
})
