import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type ReactNode, useCallback } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { focusOnMount } from '~/kit/ui/focus-on-mount'
import { NativeSelect } from '~/kit/ui/native-select'
import type { Lang } from '~/lib/lang'
import { readPrice } from '~/lib/reader'
import { DecimalInput, decimalText, isMoney } from './decimal-input'
import { useFieldError } from './field-error'
import { type FieldProps, FieldShell, useField } from './field-shell'
import { useFormScope } from './form-context'

interface TextProps<T extends FieldValues, C> extends FieldProps<T, C> {
  max?: number
  autoFocus?: boolean
  rows?: number
  adornment?: ReactNode
  mono?: boolean
}

export function TextField<T extends FieldValues, C>(props: TextProps<T, C>) {
  const { field, id, label, help, error, describedBy, disabled } = useField(props)
  const { ref } = field
  const focused = useCallback(
    (element: HTMLElement | null) => {
      ref(element)
      focusOnMount(element)
    },
    [ref],
  )
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={props.required} hiddenLabel={props.hiddenLabel} note={props.note}>
      <OutlinedInput
        {...field}
        ref={undefined}
        inputRef={props.autoFocus && !disabled ? focused : ref}
        value={field.value ?? ''}
        id={id}
        disabled={disabled}
        multiline={props.rows !== undefined}
        {...(props.rows !== undefined && { minRows: props.rows })}
        endAdornment={props.adornment && <InputAdornment position="end">{props.adornment}</InputAdornment>}
        inputProps={{
          autoComplete: 'off',
          'aria-required': props.required,
          'aria-describedby': describedBy,
          ...(props.max !== undefined && { maxLength: props.max }),
          ...(props.mono && { spellCheck: false, style: { fontFamily: 'ui-monospace, "Cascadia Mono", Menlo, monospace' } }),
        }}
      />
    </FieldShell>
  )
}

const readMoney = (typed: string, lang: Lang) => readPrice(typed, lang, [])?.amount ?? null

/** Error key for a text that is no number; its message has an example in the field's unit. */
const notANumber = (unit: ReactNode) => (isMoney(unit) ? 'amount' : unit === '%' ? 'percent' : 'decimal')

/**
 * Form field for a canonical decimal, or the typed text while that is no number. In fields for money the
 * currency may be typed too.
 */
export function DecimalField<T extends FieldValues, C>(props: FieldProps<T, C> & { unit?: ReactNode }) {
  const { lang } = useFormat()
  const { unit } = props
  const { field, fieldState, id, label, help, describedBy, disabled } = useField(props, (value: string) => decimalText(value, lang, unit))
  const problem = fieldState.error
  const error = useFieldError(problem?.message === 'decimal' ? { ...problem, message: notANumber(unit) } : problem)
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={props.required} hiddenLabel={props.hiddenLabel}>
      <DecimalInput
        id={id}
        name={field.name}
        inputRef={field.ref}
        value={field.value ?? ''}
        disabled={disabled}
        onChange={field.onChange}
        onBlur={field.onBlur}
        unit={unit}
        read={unit === '€' ? readMoney : undefined}
        inputProps={{ 'aria-required': props.required, 'aria-describedby': describedBy }}
      />
    </FieldShell>
  )
}

interface EnumProps<T extends FieldValues, C> extends FieldProps<T, C> {
  values: readonly string[]
  /** Label of a value; `enums.<name>.<value>` by default. */
  labelOf?: (value: string) => string
  onPick?: (value: string) => void
  /** Label of the empty value, if it means something else than "no value". */
  none?: string
  /** Reason why a value cannot be chosen now; it is then shown disabled. */
  blocked?: (value: string) => string | null
}

/** Native select: it suits phones, keyboards and screen readers. */
export function EnumField<T extends FieldValues, C>(props: EnumProps<T, C>) {
  const { ns } = useFormScope()
  const labels = useLabels(ns)
  const { t } = useTranslation()
  const labelOf = props.labelOf ?? ((value: string) => labels.enum(props.name, value))
  const { field, id, label, help, error, describedBy, disabled } = useField(props, (value: string) => value && labelOf(value))
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={props.required} hiddenLabel={props.hiddenLabel}>
      <NativeSelect
        name={field.name}
        inputRef={field.ref}
        value={field.value ?? ''}
        disabled={disabled}
        onChange={(event) => {
          field.onChange(event.target.value)
          props.onPick?.(event.target.value as string)
        }}
        onBlur={field.onBlur}
        inputProps={{ id, 'aria-required': props.required, 'aria-describedby': describedBy }}
      >
        {(!props.required || !field.value) && (
          <option value="">{props.required ? t('form.choose') : (props.none ?? t('form.none'))}</option>
        )}
        {props.values.map((value) => {
          const reason = props.blocked?.(value) ?? null
          return (
            <option key={value} value={value} disabled={reason !== null}>
              {reason ? `${labelOf(value)} (${reason})` : labelOf(value)}
            </option>
          )
        })}
      </NativeSelect>
    </FieldShell>
  )
}

export function CheckField<T extends FieldValues, C>(props: FieldProps<T, C> & { onPick?: (checked: boolean) => void }) {
  const { field, label, help, error, describedBy, disabled, id } = useField(props)
  return (
    <FormControl error={error !== null}>
      <FormControlLabel
        label={label}
        disabled={disabled}
        control={
          <Checkbox
            name={field.name}
            checked={Boolean(field.value)}
            onChange={(_, checked) => {
              field.onChange(checked)
              props.onPick?.(checked)
            }}
            onBlur={field.onBlur}
            slotProps={{ input: { ref: field.ref, 'aria-describedby': describedBy } }}
          />
        }
      />
      {(error || help) && <FormHelperText id={`${id}-help`}>{error ?? help}</FormHelperText>}
    </FormControl>
  )
}
