import type { FieldValues } from 'react-hook-form'
import { useFormat } from '~/i18n/use-format'
import type { FieldProps } from '~/kit/form/field-shell'
import { TidiedField } from '~/kit/form/time-fields'
import { formatLeadTime } from '~/lib/duration'
import { parseLeadTime } from '~/lib/lead-time'

/** A lead time as people type it; it is written back in working days when they go on. */
export function LeadTimeField<T extends FieldValues, C>(props: FieldProps<T, C>) {
  const { lang } = useFormat()
  function tidied(typed: string): string {
    const minutes = parseLeadTime(typed)
    return minutes === null ? typed : formatLeadTime(minutes, lang)
  }
  return <TidiedField {...props} tidied={tidied} />
}
