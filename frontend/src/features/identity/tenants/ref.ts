import { reference } from '~/kit/records/reference'
import { tenant } from './resource'

const HOUR = 60 * 60_000

export const tenantRef = reference('/api/admin/tenants', {
  label: tenant.title,
  search: 'company',
  sort: 'company',
  staleTime: HOUR,
})

/** The companies that a record names, for who may not list tenants. */
export const companiesIn = (row: { tenants: readonly { id: number; company: string }[] } | null): ReadonlyMap<number, string> =>
  new Map(row?.tenants.map(({ id, company }) => [id, company]))
