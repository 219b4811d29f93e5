import { type Control, type FieldArrayPath, type FieldError, type FieldValues, get, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { messageText } from '~/kit/ui/message'

/**
 * Returns the text of a field's error: the server's text unchanged, our own from `validation` (or
 * `<namespace>:<key>`) in the current language.
 */
export function useFieldError(error: Pick<FieldError, 'type' | 'message'> | undefined): string | null {
  const { t } = useTranslation()
  return error ? messageText(error, t) : null
}

/** Returns the error of a list of rows itself; errors of its rows are shown at their fields. */
export function useListError<T extends FieldValues, C, O>(control: Control<T, C, O>, name: FieldArrayPath<T>): string | null {
  const { errors } = useFormState({ control: control as unknown as Control<T>, name: name as never })
  const problem = get(errors, name) as ({ root?: FieldError } & Partial<FieldError>) | undefined
  return useFieldError(problem?.message !== undefined ? (problem as FieldError) : problem?.root)
}
