import { screens } from '~/kit/records/resource'
import { importing } from './resource'

export default screens(importing, {
  texts: ['importProfiles'],
  api: async () => (await import('./api')).imports,
  list: () => import('./list'),
  form: { create: Object.assign(() => import('./upload'), { help: 'import' as const }), record: () => import('./detail') },
  pages: { ':id/rows': () => import('./rows') },
})
