import { screens } from '~/kit/records/resource'
import { importing } from './resource'

export default screens(importing, {
  texts: ['importProfiles'],
  api: async () => (await import('./api')).imports,
  list: () => import('./list'),
  form: { create: () => import('./upload'), record: () => import('./detail') },
  pages: { ':id/rows': () => import('./rows') },
})
