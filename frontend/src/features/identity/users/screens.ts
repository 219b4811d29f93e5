import { screens } from '~/kit/records/resource'
import { user } from './resource'

export default screens(user, {
  texts: ['permissions'],
  api: async () => (await import('./api')).users,
  list: () => import('./list'),
  form: () => import('./form'),
  pages: { ':id/rights': () => import('./rights') },
})
