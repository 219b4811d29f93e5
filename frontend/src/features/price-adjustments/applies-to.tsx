import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApplyTo } from '~/api/schema'
import { RefText } from '~/kit/list/ref-text'
import { useRights } from '~/session/me'
import { recordsOf } from './conditions/subjects'
import { NAMED_BY } from './named-by'

/** So many records are named. */
const NAMED = 3
const TYPES = { articles: 'article', article_types: 'article_type', categories: 'category', materials: 'material' } as const

/** What an adjustment applies to, in words. */
export function AppliesTo({ of }: { of: ApplyTo }) {
  const { t } = useTranslation(['priceAdjustments', 'conditions', 'common'])
  const rights = useRights()
  if (of.kind === 'item_type') return of.item_types.map((type) => t(`enums.item_types.${type}`)).join(', ')
  const named = NAMED_BY.flatMap((by) => (of[by] ?? []).map((id) => ({ by, id })))
  const more = named.length - NAMED
  return (
    <>
      {named.slice(0, NAMED).map(({ by, id }, at) => {
        const records = recordsOf(TYPES[by])
        return (
          <Fragment key={`${by} ${id}`}>
            {at > 0 && ', '}
            {records && rights.has(records.permission) ? <RefText source={records.source} id={id} /> : `#${id}`}
          </Fragment>
        )
      })}
      {more > 0 && ` ${t('conditions:summary.more', { count: more })}`}
    </>
  )
}
