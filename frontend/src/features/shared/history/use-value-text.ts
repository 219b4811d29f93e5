import { useTranslation } from 'react-i18next'
import { type AuditedReference, type Departure, type Money, type Permission, permissionValues, type Unit } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { formatDepartures } from '~/features/shared/departure-text'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { usePermissionTexts } from '~/features/shared/permissions/texts'
import { useFormat } from '~/i18n/use-format'
import { formatDay, isDay } from '~/lib/days'
import { isDecimal } from '~/lib/decimal'
import { formatDuration, formatLeadTime } from '~/lib/duration'
import { monthText } from '~/lib/months'
import { holdsDecimal, holdsDuration, holdsNothing, holdsUnit } from './record'
import { useFieldText } from './use-field-text'
import { useReferenceText } from './use-reference-text'

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

const isReference = (value: object): value is AuditedReference => 'id' in value && 'name' in value && 'platform' in value
const isMoney = (value: object): value is Money => 'price' in value && 'price_quantity' in value && 'unit' in value
/** Parts of a departure and of an exception, in the order of the text. */
const DEPARTURE = ['weekday', 'date', 'time', 'type'] as const
type DeparturePart = (typeof DEPARTURE)[number]
const isDeparture = (value: object): value is Partial<Record<DeparturePart, string | null>> => 'time' in value
const isPermission = (value: string): value is Permission => permissionValues.includes(value as Permission)

/** Formats the value of a record's field in words. */
export function useFieldValueText(record: string): (field: string, value: unknown) => string {
  const { t } = useTranslation('audit')
  const { t: common } = useTranslation()
  const format = useFormat()
  const permissions = usePermissionTexts()
  const texts = useFieldText(record)
  const reference = useReferenceText()
  const symbol = useUnitSymbols()
  const money = useMoneyText()

  const text = (field: string, value: unknown): string => {
    if (holdsNothing(record, field, value)) return t('nothing')
    if (typeof value === 'boolean') return common(value ? 'states.yes' : 'states.no')
    if (typeof value === 'number') {
      if (field === 'lead_time') return formatLeadTime(value, format.lang)
      return holdsDuration(field) ? formatDuration(value) : format.decimal(value)
    }
    if (typeof value === 'string') {
      if (INSTANT.test(value)) return format.dateTime(value)
      if (field === 'date' && isDay(value)) return formatDay(value, format.lang)
      if (field === 'month') return monthText(value, format.lang)
      if (holdsDecimal(record, field) && isDecimal(value)) return format.decimal(value)
      if (holdsUnit(field)) return symbol(value as Unit)
      return isPermission(value) ? permissions.full(value) : texts.value(field, value)
    }
    if (Array.isArray(value) && field === 'departures') return formatDepartures(value as Departure[], format.lang)
    if (Array.isArray(value)) return value.map((part) => text(field, part)).join(', ')
    if (isReference(value as object)) return reference(value as AuditedReference)
    if (isMoney(value as object)) return money(value as Money)
    const object = value as object
    if (isDeparture(object)) return DEPARTURE.flatMap((name) => (object[name] ? [text(name, object[name])] : [])).join(' ')
    const { from_unit: fromUnit, ...rest } = value as { from_unit?: Unit }
    const parts = Object.entries(rest).filter(
      ([name, part]) => name !== 'position' && part !== null && !(Array.isArray(part) && part.length === 0),
    )
    // the unit of a tier's quantity follows it
    const unitSuffix = (name: string) => (name === 'from' && fromUnit ? `\u00a0${symbol(fromUnit)}` : '')
    return parts
      .map(([name, part]) => (name === 'price' ? text(name, part) : `${texts.field(name)} ${text(name, part)}${unitSuffix(name)}`))
      .join(', ')
  }
  return text
}
