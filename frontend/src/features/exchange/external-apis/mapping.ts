import type { ExternalApiEndpointName } from '~/api/schema'

/** Value of a response that Stalhof reads. */
export type MappedField = 'quantity' | 'article_number' | 'warehouse' | 'unit' | 'number' | 'name' | 'gtin' | 'next_page'

/** Values that are read from the response of each endpoint. */
export const FIELDS_OF_LINES = {
  availability: ['quantity', 'warehouse', 'unit', 'article_number', 'next_page'],
  articles: ['number', 'name', 'gtin', 'next_page'],
  warehouses: ['number', 'name', 'next_page'],
  tenants: ['number', 'name', 'next_page'],
} as const satisfies Record<ExternalApiEndpointName, readonly MappedField[]>

/** Pointers of a form: to the list, and to the values of an entry. */
export type Pointers = Partial<Record<MappedField, string>> & { list: string }
