import { screens } from '~/kit/records/resource'
import { importProfile } from './resource'

export default screens(importProfile, {
  texts: ['imports'],
  api: async () => (await import('./api')).importProfiles,
  list: () => import('./list'),
  form: () => import('./form'),
})
