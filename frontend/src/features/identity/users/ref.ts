import { reference } from '~/kit/records/reference'
import { user } from './resource'

export const userRef = reference('/api/admin/users', { label: user.title, search: 'search', sort: 'name' })
