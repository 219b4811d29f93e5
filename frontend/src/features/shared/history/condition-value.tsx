import { useTranslation } from 'react-i18next'
import { weekdayValues } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import { weekdayNames } from '~/lib/dates'
import { formatDay } from '~/lib/days'
import { formatDecimal } from '~/lib/decimal'
import { conditionText, type TracedCondition } from './condition-text'
import { useReferenceText } from './use-reference-text'

/** Conditions of a history entry as a sentence. */
export default function ConditionValue({ condition }: { condition: TracedCondition }) {
  const { t } = useTranslation(['conditions', 'whyPrice'])
  const { lang } = useFormat()
  const symbol = useUnitSymbols()
  const reference = useReferenceText()
  const weekdays = weekdayNames(lang, 'long')
  return conditionText(condition, {
    t: t as never,
    reference,
    weekday: (day) => weekdays[weekdayValues.indexOf(day)] ?? day,
    day: (day) => formatDay(day, lang),
    amount: (amount) => `${formatDecimal(amount, lang, 6, true, 2)}\u00a0€`,
    quantity: (quantity, unit) => `${formatDecimal(quantity, lang)}\u00a0${symbol(unit)}`,
  })
}
