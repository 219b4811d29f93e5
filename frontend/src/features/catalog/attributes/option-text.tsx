import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { decimalText } from '~/kit/form/decimal-input'
import type { ListEntryOptions } from '~/kit/form/form-context'
import type { AttributeForm } from './schema'

type OptionForm = AttributeForm['options'][number]

/** Comparison of the options of two versions of an attribute. */
export const optionEntries: ListEntryOptions<OptionForm> = {
  key: ({ id }) => id,
  title: ({ name }) => name,
  text: (option) => <OptionText option={option} />,
}

function OptionText({ option: { name, value, display_value, weight_per_base_unit } }: { option: OptionForm }) {
  const labels = useLabels('attributes')
  const { lang } = useFormat()
  const parts = { value, display_value, weight_per_base_unit: decimalText(weight_per_base_unit, lang) }
  const details = Object.entries(parts).filter(([, text]) => text !== '')
  return `${name} (${details.map(([field, text]) => `${labels.field(`options_${field}`)}: ${text}`).join(', ')})`
}
