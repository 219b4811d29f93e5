import { useQuery } from '@tanstack/react-query'
import { useUnits } from '~/api/units'
import { attributeRef } from '~/features/catalog/attributes/ref'
import { useFormat } from '~/i18n/use-format'
import { decimalText } from '~/kit/form/decimal-input'
import type { ListEntryOptions } from '~/kit/form/form-context'
import { RefText } from '~/kit/form/ref-text'
import { type AttributeValueForm, optionText } from './schema'

/** Comparison of the values of two versions of an article, by attribute. */
export const valueEntries: ListEntryOptions<AttributeValueForm> = {
  key: ({ attribute_id }) => attribute_id,
  title: ({ attribute_id }) => <RefText source={attributeRef} id={attribute_id} />,
  text: (value) => <ValueText value={value} />,
}

function ValueText({ value }: { value: AttributeValueForm }) {
  const { lang } = useFormat()
  const attribute = useQuery(attributeRef.one(value.attribute_id)).data
  const units = useUnits()
  if (value.type === 'custom') return value.text
  if (value.type === 'categorial') return attribute ? optionText(attribute, value.option_id) : '\u2026'
  const unit = value.unit || attribute?.default_unit
  return `${decimalText(value.number, lang)} ${units.find((one) => one.unit === unit)?.symbol ?? ''}`
}
