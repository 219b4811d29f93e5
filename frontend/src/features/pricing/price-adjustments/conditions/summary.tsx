import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Condition, type Unit, weekdayValues } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import { RefText } from '~/kit/form/ref-text'
import { weekdayNames } from '~/lib/dates'
import { formatDay, isDay } from '~/lib/days'
import { formatDecimal, isDecimal } from '~/lib/decimal'
import { useRights } from '~/session/me'
import { recordsOf, valueKind } from './subjects'
import { GROUP_KINDS } from './tree'

/** Maximum number of records of a comparison that are listed by name. */
const MAX_NAMES = 3

/** Conditions in words. */
export function ConditionsSummary({ condition }: { condition: Condition | null }) {
  const { t } = useTranslation('conditions')
  return condition === null ? t('summary.always') : <Part condition={condition} inner={false} />
}

function Part({ condition, inner }: { condition: Condition; inner: boolean }) {
  const { t } = useTranslation('conditions')
  const group = GROUP_KINDS.find((one) => condition[one])
  if (!group) return <Test condition={condition} />
  const parts = condition[group] ?? []
  const several = parts.length > 1
  const joined = parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
    <Fragment key={at}>
      {at > 0 && t(group === 'all' ? 'summary.and' : 'summary.or')}
      <Part condition={part} inner={several || group === 'not'} />
    </Fragment>
  ))
  if (group === 'not') {
    return (
      <>
        {t('summary.not')} ({joined})
      </>
    )
  }
  return inner && several ? <>({joined})</> : joined
}

function Test({ condition: { type, op, value, unit } }: { condition: Condition }) {
  const { t } = useTranslation(['conditions', 'whyPrice'])
  if (!type || !op) return null
  const count = Array.isArray(value) ? value.length : 1
  const operatorText =
    op === 'in'
      ? t('summary.in', { count })
      : op === 'not_in'
        ? t('summary.notIn', { count })
        : valueKind(type) === 'date'
          ? t(`dateOp.${op}`)
          : t(`op.${op}`)
  return (
    <>
      {t(`whyPrice:conditions.type.${type}`)} {operatorText} <Value type={type} value={value} unit={unit ?? null} />
    </>
  )
}

function Value({ type, value, unit }: { type: NonNullable<Condition['type']>; value: Condition['value']; unit: Unit | null }): ReactNode {
  const { lang, list } = useFormat()
  const symbol = useUnitSymbols()
  const kind = valueKind(type)
  if (Array.isArray(value)) {
    if (value.length === 0) return '\u2026'
    if (kind === 'records') return <Names type={type} ids={value as number[]} />
    const names = weekdayNames(lang, 'long')
    return list((value as string[]).map((day) => names[weekdayValues.indexOf(day as 'monday')] ?? day))
  }
  const text = value ?? ''
  if (kind === 'date') return isDay(text) ? formatDay(text, lang) : '\u2026'
  if (!isDecimal(text)) return '\u2026'
  if (kind === 'amount') return `${formatDecimal(text, lang, 6, true, 2)}\u00a0€`
  return `${formatDecimal(text, lang)}\u00a0${symbol(unit ?? 'kg')}`
}

/** Names of some records of a kind. */
export function Names({ type, ids }: { type: NonNullable<Condition['type']>; ids: readonly number[] }) {
  const { t } = useTranslation(['conditions', 'common'])
  const rights = useRights()
  const records = recordsOf(type)
  const canSearch = records !== null && rights.has(records.permission)
  const more = ids.length - MAX_NAMES
  return (
    <>
      {ids.slice(0, MAX_NAMES).map((id, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          {records && canSearch ? <RefText source={records.source} id={id} /> : `#${id}`}
        </Fragment>
      ))}
      {more > 0 && ` ${t('summary.more', { count: more })}`}
    </>
  )
}
