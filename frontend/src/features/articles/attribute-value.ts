import type { Attribute } from '~/api/schema'
import { attributeRef } from '~/features/attributes/ref'
import type { ValueSpec } from '~/kit/list/list-state'
import { later } from '~/kit/route/later'
import { isMeasure } from './measure'

const parts = () => import('./attribute-value-parts')

/** The value that articles have of an attribute: with its unit, by the name of an option, or as it is written. */
export const attributeValue: ValueSpec = {
  kind: 'value',
  source: attributeRef,
  ops: ({ type }: Attribute) => (type === 'metric' ? ['is', 'ne', 'lt', 'lte', 'gt', 'gte'] : ['is', 'ne']),
  valid: ({ type }: Attribute, value: string) => type !== 'metric' || isMeasure(value),
  Input: later(() => parts().then(({ Input }) => ({ default: Input }))),
  Text: later(() => parts().then(({ Text }) => ({ default: Text }))),
}
