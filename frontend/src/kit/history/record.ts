import { useLabels } from '~/i18n/labels'
import { allResources, useNames } from '../resource/resources'
import FIELDS from './fields.json'

/** In whose words a record is told, what it is called and where it is shown. */
export function useRecords() {
  const names = useNames()
  const labels = useLabels('audit')
  const of = (record: string) => allResources().find((resource) => resource.record === record)
  const namespace = (record: string) => of(record)?.ns
  return {
    namespace,
    name(record: string): string {
      const ns = namespace(record)
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
