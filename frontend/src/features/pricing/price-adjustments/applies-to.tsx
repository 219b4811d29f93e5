import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApplyTo } from '~/api/schema'
import { Names } from './conditions/summary'
import { SELECTOR_KINDS } from './selector-kinds'

const TYPES = { articles: 'article', article_types: 'article_type', categories: 'category', materials: 'material' } as const

/** Items that an adjustment applies to, in words. */
export function AppliesTo({ applyTo }: { applyTo: ApplyTo }) {
  const { t } = useTranslation(['priceAdjustments', 'conditions', 'whyPrice'])
  if (applyTo.kind === 'item_type') {
    if (applyTo.item_types.every((type) => type === 'article')) return t('applies.allArticles')
    return applyTo.item_types.map((type) => t(`enums.item_types.${type}`)).join(', ')
  }
  const targets = SELECTOR_KINDS.map((by) => ({ type: TYPES[by], ids: applyTo[by] ?? [] })).filter(({ ids }) => ids.length > 0)
  return targets.map(({ type, ids }, at) => (
    <Fragment key={type}>
      {at > 0 && t('conditions:summary.or')}
      {t(`whyPrice:conditions.type.${type}`)} <Names type={type} ids={ids} />
    </Fragment>
  ))
}
