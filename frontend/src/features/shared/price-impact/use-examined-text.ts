import { useTranslation } from 'react-i18next'
import type { PriceImpact, PriceImpactQuantity } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useEuro } from '~/features/shared/money/use-euro'
import { useFormat } from '~/i18n/use-format'
import { useConfig } from '~/session/config'

/** Maximum number of times that are listed. */
const MAX_TIMES = 4
/** Maximum number of quantities that are listed. */
const MAX_QUANTITIES = 6

/** Formats the carts that were calculated: articles, customers, times and quantities. */
export function useExaminedText(): (impact: PriceImpact) => string {
  const { t } = useTranslation('priceImpact')
  const { decimal, list, weekdayTime } = useFormat()
  const { time_zone } = useConfig()
  const symbol = useUnitSymbols()
  const euro = useEuro()
  const listSome = (texts: readonly string[], max: number) => {
    const more = texts.length - max
    return list(more > 0 ? [...texts.slice(0, max), t('examined.more', { count: more, number: decimal(more) })] : texts)
  }
  const quantity = ({ kind, value, unit }: PriceImpactQuantity) => {
    if (value === null) return t(kind === 'breaks' ? 'examined.breaks' : 'examined.priceUnit')
    const amount = unit === null ? euro(value) : `${decimal(value)}\u00a0${symbol(unit)}`
    return kind === 'around' ? t('examined.around', { amount }) : amount
  }
  return ({ articles_examined, articles_in_all, examined: { carts, moments, quantities, customer_groups, complete } }) => {
    const articles =
      articles_examined < articles_in_all
        ? t('examined.sample', { examined: decimal(articles_examined), all: decimal(articles_in_all) })
        : t('examined.articles', { count: articles_examined, number: decimal(articles_examined) })
    const parts = [
      articles,
      t('examined.groups', { count: customer_groups, number: decimal(customer_groups) }),
      t('examined.moments', {
        count: moments.length,
        number: decimal(moments.length),
        which: listSome(
          moments.map((at) => weekdayTime(at, time_zone)),
          MAX_TIMES,
        ),
      }),
      t('examined.quantities', {
        count: quantities.length,
        number: decimal(quantities.length),
        which: listSome(quantities.map(quantity), MAX_QUANTITIES),
      }),
    ]
    const text = t('examined.what', { parts: parts.join('; '), count: carts, carts: decimal(carts) })
    return complete ? text : `${text} ${t('examined.incomplete')}`
  }
}
