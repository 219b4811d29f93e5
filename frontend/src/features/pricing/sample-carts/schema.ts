import type { SampleCart } from '~/api/schema'
import { nullableDecimal, text, z } from '~/kit/form/schema'

export const headSchema = z.object({ name: text(), expected_total: nullableDecimal({ after: 2, invalid: 'amount' }) })

export const toForm = (row: SampleCart | null) => ({ name: row?.name ?? '', expected_total: row?.expected_total ?? '' })
