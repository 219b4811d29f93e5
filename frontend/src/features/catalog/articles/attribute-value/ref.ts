import type { ArticleType, Attribute } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { attributeRef } from '~/features/catalog/attributes/ref'
import type { ValueSpec } from '~/kit/table/list-state'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { isMeasure } from '../measure'
import { typeOf } from '../of-type'

const parts = () => import('../attribute-value-parts')

const toChoices = ({ attributes }: ArticleType) => attributes.map(({ attribute_id, name }) => ({ id: attribute_id, label: name }))

/** Value of an attribute as a filter: number with unit, name of an option, or text. */
export const attributeValue: ValueSpec = {
  kind: 'value',
  optional: true,
  source: attributeRef,
  ops: ({ type }: Attribute) => (type === 'metric' ? ['is', 'ne', 'lt', 'lte', 'gt', 'gte', 'empty'] : ['is', 'ne', 'empty']),
  narrow: (filters) => {
    const type = typeOf(filters)
    return type === null ? null : { ...articleTypeRef.one(type), select: toChoices }
  },
  valid: ({ type }: Attribute, value: string) => type !== 'metric' || isMeasure(value),
  Input: lazyWithTexts(() => parts().then(({ Input }) => ({ default: Input })), 'articles'),
  Text: lazyWithTexts(() => parts().then(({ Text }) => ({ default: Text }))),
}
