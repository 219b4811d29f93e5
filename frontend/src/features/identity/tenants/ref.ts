import { reference } from '~/kit/records/reference'

const HOUR = 60 * 60_000

export const tenantRef = reference('/api/admin/tenants', {
  label: ({ company, name }) => (name === company ? company : `${name} (${company})`),
  search: 'search',
  sort: 'company',
  staleTime: HOUR,
})

/** Companies named by a record, for users who may not list tenants. */
export const companiesIn = (row: { tenants: readonly { id: number; company: string }[] } | null): ReadonlyMap<number, string> =>
  new Map(row?.tenants.map(({ id, company }) => [id, company]))
