import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import { type ReactNode, useEffect, useId } from 'react'
import { type Control, type FieldPath, type FieldValues, type UseControllerReturn, useController } from 'react-hook-form'
import { useLabels } from '~/i18n/labels'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { afterPointerUp } from './after-pointer-up'
import { useFieldError } from './field-error'
import { type DisplayValue, useFormScope } from './form-context'

export interface FieldProps<T extends FieldValues, C = unknown> {
  control: Control<T, C, FieldValues>
  name: FieldPath<T>
  required?: boolean
  /** Label; `fields.<name>` of the form's texts by default, for nested names their last part. */
  label?: string
  /** Help text; `help.<name>` by default, if it exists. */
  help?: string
  disabled?: boolean
  /** Hides the label visually, because a column head shows it already; screen readers still read it. */
  hiddenLabel?: boolean
  /** Content below the help or error text. */
  note?: ReactNode
}

/** Registers how a field's value is displayed. A value edited in several inputs is displayed as a whole. */
export function useDisplayValue(name: string, reading: DisplayValue | undefined): void {
  const { displays } = useFormScope()
  useEffect(() => {
    if (reading) displays?.set(name, reading)
  })
}

/**
 * Provides everything a field needs besides its control: ids, label, help, error, and the ARIA attributes
 * that link them.
 */
export function useField<T extends FieldValues, C>(props: FieldProps<T, C>, reading?: DisplayValue) {
  const { ns, readOnly } = useFormScope()
  useDisplayValue(props.name, reading)
  const labels = useLabels(ns)
  const id = useId()
  const controller = useController({ control: props.control as Control<T>, name: props.name })
  const key = props.name
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .join('_')
  const error = useFieldError(controller.fieldState.error)
  const help = props.help ?? labels.help(key)
  const label = props.label ?? labels.field(key)
  const describedBy = error || help ? `${id}-help` : undefined
  // leaving a field may show its error, which moves the page
  const field = { ...controller.field, onBlur: () => afterPointerUp(controller.field.onBlur) }
  return { ...controller, field, id, label, help, error, describedBy, disabled: readOnly || props.disabled === true }
}

export type FieldState = Omit<UseControllerReturn, 'field'> & {
  id: string
  label: string
  help: string
  error: string | null
}

interface ShellProps {
  id: string
  label: string
  help: string
  error: string | null
  required?: boolean | undefined
  hiddenLabel?: boolean | undefined
  /** True if the control has several inputs: the label then names a group. */
  group?: boolean
  note?: ReactNode
  children: ReactNode
}

export function FieldShell({ id, label, help, error, required, hiddenLabel, group, note, children }: ShellProps) {
  return (
    <FormControl fullWidth error={error !== null} {...(group && { role: 'group', 'aria-labelledby': `${id}-label` })}>
      <FormLabel id={`${id}-label`} {...(group ? { component: 'div' } : { htmlFor: id })} sx={hiddenLabel ? visuallyHidden : {}}>
        {label}
        {required && <span aria-hidden>{' *'}</span>}
      </FormLabel>
      {children}
      {(error || help) && <FormHelperText id={`${id}-help`}>{error ?? help}</FormHelperText>}
      {note}
    </FormControl>
  )
}
