import type { FieldValues } from 'react-hook-form'
import { useFormat } from '~/i18n/use-format'
import type { FieldProps } from '~/kit/form/field-shell'
import { NormalizedField } from '~/kit/form/time-fields'
import { formatLeadTime } from '~/lib/duration'
import { parseLeadTime } from '~/lib/lead-time'

/** Field for a lead time in everyday notation; it is formatted in working days when it loses focus. */
export function LeadTimeField<T extends FieldValues, C>(props: FieldProps<T, C>) {
  const { lang } = useFormat()
  function normalizeLeadTime(typed: string): string {
    const minutes = parseLeadTime(typed)
    return minutes === null ? typed : formatLeadTime(minutes, lang)
  }
  return <NormalizedField {...props} normalize={normalizeLeadTime} />
}
