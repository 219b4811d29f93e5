import { useCallback } from 'react'
import { type Control, get, useController, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Condition } from '~/api/schema'
import { useCompositeField } from '~/kit/form/composite-field'
import { useField } from '~/kit/form/field-shell'
import { type Message, messageText } from '~/kit/ui/message'
import { ConditionEditor, type Focusable } from './conditions/editor'
import type { EditorScope } from './conditions/editor-context'
import { ConditionsSummary } from './conditions/summary'
import { GROUP_KINDS } from './conditions/tree'
import type { PriceAdjustmentBody, PriceAdjustmentForm } from './schema'

const NAME = 'conditions'

/** Returns the first message of an error or of one of its entries. */
function firstOf(error: unknown): Message | null {
  if (typeof error !== 'object' || error === null) return null
  if ('message' in error && typeof error.message === 'string') return error as Message
  for (const entry of Array.isArray(error) ? error : []) {
    const found = firstOf(entry)
    if (found) return found
  }
  return null
}

/** Form field with the condition editor; errors are shown at the node that they are about. */
export function ConditionsField({ control }: { control: Control<PriceAdjustmentForm, unknown, PriceAdjustmentBody> }) {
  const { t } = useTranslation()
  useCompositeField(control, NAME)
  const { label, disabled } = useField({ control, name: NAME }, (value: Condition | null) => <ConditionsSummary of={value} />)
  const { field } = useController({ control, name: NAME })
  const { errors } = useFormState({ control, name: NAME })
  const errorAt: EditorScope['errorAt'] = (path, part) => {
    const at: unknown = get(errors, [NAME, path].filter(Boolean).join('.'))
    if (typeof at !== 'object' || at === null) return null
    const inside = at as Record<string, unknown>
    // for a group, the error may be about its list of parts
    const found = part ? firstOf(inside[part]) : (firstOf(at) ?? GROUP_KINDS.map((group) => own(inside[group])).find(Boolean))
    return found ? messageText(found, t) : null
  }
  const { ref } = field
  const connect = useCallback(
    (editor: Focusable | null) => ref(editor && { ...editor, select() {}, setCustomValidity() {}, reportValidity: () => true }),
    [ref],
  )
  return <ConditionEditor ref={connect} label={label} value={field.value} onChange={field.onChange} errorAt={errorAt} readOnly={disabled} />
}

/** Returns the error about a list itself, not those about its entries. */
const own = (list: unknown): Message | null =>
  typeof list === 'object' && list !== null && 'message' in list && typeof list.message === 'string' ? (list as Message) : null
