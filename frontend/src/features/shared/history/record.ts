import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { allResources, useNames } from '~/kit/records/resources'
import FIELDS from './fields.json'

/** What has no screen of its own is told in the words of the sheet that shows it. */
const PARTS: Readonly<Record<string, Namespace>> = { price_list_entry: 'priceListPrices' }

/** In whose words a record is told, what it is called and where it is shown. */
export function useRecords() {
  const names = useNames()
  const labels = useLabels('audit')
  const of = (record: string) => allResources().find((resource) => resource.record === record)
  return {
    namespace: (record: string): Namespace | undefined => of(record)?.ns ?? PARTS[record],
    name(record: string): string {
      const ns = of(record)?.ns
      return ns ? names.one(ns) : labels.enum('record', record)
    },
    /** Its address, as far as it has one. */
    path(record: string, id: number | null): string | null {
      const path = of(record)?.path
      return path && id !== null ? `${path}/${id}` : null
    },
  }
}

const FORMS: Record<string, string> = FIELDS.forms

/** What forms call a column or the parts of a record, where it is not the column's own name. */
export const formField = (field: string): string => FORMS[field] ?? field

/** Whether a column holds what only programs read: what it means is told where it is decided about. */
export const isInternal = (field: string): boolean => FIELDS.internal.includes(field)

/** Whether a column holds a number as a text; where others of its name do not, it stands there with its record. */
export const holdsDecimal = (record: string, field: string): boolean =>
  [field, `${record}.${field}`].some((name) => FIELDS.decimals.includes(name))

/** Whether a column holds minutes. */
export const holdsDuration = (field: string): boolean => FIELDS.durations.includes(field)

/** Whether a column holds a unit of measure. */
export const holdsUnit = (field: string): boolean => FIELDS.units.includes(field)

const NONE_AT_ZERO: Record<string, string[]> = FIELDS.zeroIsNone

/** Whether a column holds nothing: also zero, where that stands for what the article has. */
export const holdsNothing = (record: string, field: string, value: unknown): boolean =>
  value === null || value === undefined || value === '' || (value === '0' && NONE_AT_ZERO[record]?.includes(field) === true)
