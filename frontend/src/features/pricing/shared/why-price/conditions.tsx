import Box from '@mui/material/Box'
import { Check, X } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { type ConditionType, type QuoteCondition, weekdayValues } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { RecordLink } from '~/features/shared/record-link'
import { useFormat } from '~/i18n/use-format'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { weekdayNames } from '~/lib/dates'
import { formatDay } from '~/lib/days'
import { formatDecimal } from '~/lib/decimal'

/** Maximum number of records of a comparison that are listed by name. */
const MAX_RECORDS = 6
/** Maximum number of decimal places that the server compares. */
const PLACES = 15
const MONEY: readonly ConditionType[] = ['cart_base_price', 'adjusted_cart_total']

type Value = QuoteCondition['value']
/** Subjects of which a cart or an item may have none. */
type Plural = 'category' | 'material' | 'processing' | 'warehouse' | 'tenant' | 'tenant_group'

/** Tree of conditions with the result of each, and the value that each comparison was made with. */
export function Conditions({ condition }: { condition: QuoteCondition }) {
  return (
    <Box component="ul" sx={{ m: 0, mt: 0.5, p: 0, pl: 2.75, listStyle: 'none', '& ul': { pl: 2.5 } }}>
      <Node condition={condition} />
    </Box>
  )
}

function Node({ condition }: { condition: QuoteCondition }) {
  const { t } = useTranslation('whyPrice')
  const Icon = condition.holds ? Check : X
  return (
    <Box component="li" sx={{ py: 0.25 }}>
      <Box component="span" sx={{ color: condition.holds ? 'success.main' : 'error.main', mr: 0.75, '& svg': { verticalAlign: '-2px' } }}>
        <Icon size={14} aria-hidden />
        <span style={visuallyHidden}>{t(condition.holds ? 'conditions.holds' : 'conditions.fails')} </span>
      </Box>
      {condition.group ? t(`conditions.group.${condition.group}`) : <Comparison condition={condition} />}
      {condition.parts && condition.parts.length > 0 && (
        <ul style={{ margin: 0, listStyle: 'none' }}>
          {condition.parts.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and never move
            <Node key={at} condition={part} />
          ))}
        </ul>
      )}
    </Box>
  )
}

function Comparison({ condition: { type, op, value, unit, found } }: { condition: QuoteCondition }) {
  const { t } = useTranslation('whyPrice')
  const { lang } = useFormat()
  const symbol = useUnitSymbols()
  if (!type || !op || value === undefined || value === null) return null
  const text = (one: Value) => {
    if (Array.isArray(one)) {
      return typeof one[0] === 'number' ? <Records type={type} ids={one as number[]} /> : <Weekdays days={one as string[]} />
    }
    if (type === 'date') return formatDay(String(one), lang)
    // with all places that the server compares
    if (MONEY.includes(type)) return `${formatDecimal(String(one), lang, PLACES, true, 2)}\u00a0€`
    return `${formatDecimal(String(one), lang, PLACES)}${unit ? `\u00a0${symbol(unit)}` : ''}`
  }
  return (
    <>
      {t(`conditions.type.${type}`)} {t(`conditions.${type === 'date' ? 'dateOp' : 'op'}.${op}`)} {text(value)}
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {' · '}
        {found === undefined || found === null ? (
          t('conditions.unknown')
        ) : Array.isArray(found) && found.length === 0 ? (
          t(`conditions.none.${type as Plural}`)
        ) : (
          <>
            {t('conditions.here')} {text(found)}
          </>
        )}
      </Box>
    </>
  )
}

function Records({ type, ids }: { type: ConditionType; ids: readonly number[] }) {
  const { t } = useTranslation('whyPrice')
  const more = ids.length - MAX_RECORDS
  return (
    <>
      {ids.slice(0, MAX_RECORDS).map((id, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <RecordLink record={type} id={id} />
        </Fragment>
      ))}
      {more > 0 && ` ${t('conditions.more', { count: more })}`}
    </>
  )
}

function Weekdays({ days }: { days: readonly string[] }) {
  const { lang, list } = useFormat()
  const names = weekdayNames(lang, 'long')
  return list(days.map((day) => names[weekdayValues.indexOf(day as (typeof weekdayValues)[number])] ?? day))
}
