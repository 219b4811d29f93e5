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
function firstMessage(error: unknown): Message | null {
  if (typeof error !== 'object' || error === null) return null
  if ('message' in error && typeof error.message === 'string') return error as Message
  for (const entry of Array.isArray(error) ? error : []) {
    const message = firstMessage(entry)
    if (message) return message
  }
  return null
}

/** Form field with the condition editor; errors are shown at the node that they are about. */
export function ConditionsField({ control }: { control: Control<PriceAdjustmentForm, unknown, PriceAdjustmentBody> }) {
  const { t } = useTranslation()
  useCompositeField(control, NAME)
  const { label, disabled } = useField({ control, name: NAME }, (value: Condition | null) => <ConditionsSummary condition={value} />)
  const { field } = useController({ control, name: NAME })
  const { errors } = useFormState({ control, name: NAME })
  const errorAt: EditorScope['errorAt'] = (path, part) => {
    const fieldError: unknown = get(errors, [NAME, path].filter(Boolean).join('.'))
    if (typeof fieldError !== 'object' || fieldError === null) return null
    const nestedErrors = fieldError as Record<string, unknown>
    // for a group, the error may be about its list of parts
    const message = part
      ? firstMessage(nestedErrors[part])
      : (firstMessage(fieldError) ?? GROUP_KINDS.map((group) => ownMessage(nestedErrors[group])).find(Boolean))
    return message ? messageText(message, t) : null
  }
  const { ref } = field
  const connect = useCallback(
    (editor: Focusable | null) => ref(editor && { ...editor, select() {}, setCustomValidity() {}, reportValidity: () => true }),
    [ref],
  )
  return <ConditionEditor ref={connect} label={label} value={field.value} onChange={field.onChange} errorAt={errorAt} readOnly={disabled} />
}

/** Returns the error about a list itself, not those about its entries. */
const ownMessage = (list: unknown): Message | null =>
  typeof list === 'object' && list !== null && 'message' in list && typeof list.message === 'string' ? (list as Message) : null
