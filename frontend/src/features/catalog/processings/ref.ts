import { reference } from '~/kit/records/reference'
import { processing } from './resource'

export const processingRef = reference('/api/admin/processings', { label: processing.title, search: 'name', sort: 'name' })
