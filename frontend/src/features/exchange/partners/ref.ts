import { reference } from '~/kit/records/reference'

const HOUR = 60 * 60_000

/** Companies that can be named as customers, searched by name, short code and town. */
export const partnerRef = reference('/api/admin/partners', {
  label: ({ company, short_code, place }) => [company, short_code, ...(place === null ? [] : [place])].join(' · '),
  search: 'search',
  sort: 'company',
  staleTime: HOUR,
})

/** Companies that a record excludes. */
export const exceptIn = (row: { excluded_tenants: readonly { id: number; company: string }[] } | null): ReadonlyMap<number, string> =>
  new Map(row?.excluded_tenants.map(({ id, company }) => [id, company]))
