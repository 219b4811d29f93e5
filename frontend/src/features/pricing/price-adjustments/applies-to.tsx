import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApplyTo } from '~/api/schema'
import { Names } from './conditions/summary'
import { NAMED_BY } from './named-by'

const TYPES = { articles: 'article', article_types: 'article_type', categories: 'category', materials: 'material' } as const

/** Items that an adjustment applies to, in words. */
export function AppliesTo({ of }: { of: ApplyTo }) {
  const { t } = useTranslation(['priceAdjustments', 'conditions', 'whyPrice'])
  if (of.kind === 'item_type') {
    if (of.item_types.every((type) => type === 'article')) return t('applies.allArticles')
    return of.item_types.map((type) => t(`enums.item_types.${type}`)).join(', ')
  }
  const named = NAMED_BY.map((by) => ({ type: TYPES[by], ids: of[by] ?? [] })).filter(({ ids }) => ids.length > 0)
  return named.map(({ type, ids }, at) => (
    <Fragment key={type}>
      {at > 0 && t('conditions:summary.or')}
      {t(`whyPrice:conditions.type.${type}`)} <Names type={type} ids={ids} />
    </Fragment>
  ))
}
