import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { allResources, useResourceNames } from '~/kit/records/resources'
import FIELDS from './fields.json'

/** Namespaces of records without a screen of their own, which use the texts of the sheet that shows them. */
const PARTS: Readonly<Record<string, Namespace>> = { price_list_entry: 'priceListPrices' }

/** Texts, names and paths of kinds of records. */
export function useRecordKinds() {
  const names = useResourceNames()
  const labels = useLabels('audit')
  const resourceOf = (record: string) => allResources().find((resource) => resource.record === record)
  return {
    namespace: (record: string): Namespace | undefined => resourceOf(record)?.ns ?? PARTS[record],
    name(record: string): string {
      const ns = resourceOf(record)?.ns
      return ns ? names.one(ns) : labels.enum('record', record)
    },
    /** Path of the record, if it has one. */
    path(record: string, id: number | null): string | null {
      const path = resourceOf(record)?.path
      return path && id !== null ? `${path}/${id}` : null
    },
  }
}

const FORMS: Record<string, string> = FIELDS.forms

/** Name of a column's field in forms, if it differs from the column. */
export const formField = (field: string): string => FORMS[field] ?? field

/** True if a column is for programs only; the history does not show it. */
export const isInternal = (field: string): boolean => FIELDS.internal.includes(field)

/** True if a column contains a decimal as text; a name that is ambiguous is listed with its record. */
export const holdsDecimal = (record: string, field: string): boolean =>
  [field, `${record}.${field}`].some((name) => FIELDS.decimals.includes(name))

/** True if a column contains minutes. */
export const holdsDuration = (field: string): boolean => FIELDS.durations.includes(field)

/** True if a column contains a unit of measure. */
export const holdsUnit = (field: string): boolean => FIELDS.units.includes(field)

const NONE_AT_ZERO: Record<string, string[]> = FIELDS.zeroIsNone

/** True if a value is empty, or a zero that stands for the article's own value. */
export const holdsNothing = (record: string, field: string, value: unknown): boolean =>
  value === null || value === undefined || value === '' || (value === '0' && NONE_AT_ZERO[record]?.includes(field) === true)
