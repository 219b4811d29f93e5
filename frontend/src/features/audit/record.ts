import type { Namespace } from '~/i18n/namespaces'
import FIELDS from './fields.json'

/** Where the records of a table are shown, and in whose words. */
interface Place {
  ns: Namespace
  path: string | null
}

const PLACES: Record<string, Place> = {
  article: { ns: 'articles', path: '/articles' },
  article_type: { ns: 'articleTypes', path: '/articleTypes' },
  article_type_group: { ns: 'articleTypeGroups', path: '/article-type-groups' },
  attribute: { ns: 'attributes', path: '/attributes' },
  category: { ns: 'categories', path: '/categories' },
  import: { ns: 'imports', path: '/imports' },
  matching: { ns: 'matchings', path: null },
  material: { ns: 'materials', path: '/materials' },
  personal_access_token: { ns: 'tokens', path: '/tokens' },
  processing: { ns: 'processings', path: '/processings' },
  role: { ns: 'roles', path: '/roles' },
  tenant: { ns: 'tenants', path: '/tenants' },
  tenant_group: { ns: 'tenantGroups', path: '/tenant-groups' },
  trade_dimension: { ns: 'tradeDimensions', path: '/tradeDimensions' },
  user: { ns: 'users', path: '/users' },
  warehouse: { ns: 'warehouses', path: null },
}

/** The namespaces of all records: the page loads them before it is shown. */
export const RECORD_NAMESPACES = [...new Set(Object.values(PLACES).map(({ ns }) => ns))]

export const namespaceOf = (record: string): Namespace => PLACES[record]?.ns ?? 'audit'

/** The address of a record, as far as it has one. */
export function recordPath(record: string, id: number | null): string | null {
  const path = PLACES[record]?.path
  return path && id !== null ? `${path}/${id}` : null
}

const FORMS: Record<string, string> = FIELDS.forms

/** What forms call a column or the parts of a record, where it is not the column's own name. */
export const formField = (field: string): string => FORMS[field] ?? field

/** Whether a column holds a number as a text. */
export const holdsDecimal = (field: string): boolean => FIELDS.decimals.includes(field)
