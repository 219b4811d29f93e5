import { reference } from '~/kit/resource/reference'
import { processing } from './resource'

export const processingRef = reference('/api/admin/processings', { label: processing.title, search: 'name', sort: 'name' })
