import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import type { Ref } from 'react'
import { type Control, type FieldPath, type FieldValues, get, useController, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import { type Message, messageText } from '../feedback/message'
import type { RefSource } from '../list/ref-source'
import { RefText } from '../list/ref-text'
import { FieldShell, useField } from './field-shell'
import { useFormScope } from './form-context'
import { RefPicker } from './ref-picker'
import { useStructured } from './structured'

interface InputProps<Row> {
  id: string
  source: RefSource<Row>
  value: readonly number[]
  onChange: (ids: number[]) => void
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement>
  /** Whether the caller may look for them; without that only their numbers are known. */
  finds: boolean
  /** What is known of them already. */
  names?: ReadonlyMap<number, string> | undefined
  /** Said where there is none. */
  none?: string | undefined
  /** What the search is called. */
  label: string
  max?: number
  readOnly?: boolean
  invalid?: boolean
  describedBy?: string | undefined
}

/** Records that are named: chips to take away, and a search to add. */
export function RefsInput<Row>(props: InputProps<Row>) {
  const { source, value, onChange, finds, names, readOnly = false } = props
  return (
    <>
      {(value.length > 0 || props.none) && (
        <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 0.75, pb: readOnly ? 0 : 0.75 }}>
          {value.length === 0 && (
            <Box component="span" sx={{ color: 'text.secondary', typography: 'body2' }}>
              {props.none}
            </Box>
          )}
          {value.map((id) => (
            <Chip
              key={id}
              label={names?.get(id) || (finds ? <RefText source={source} id={id} /> : `#${id}`)}
              {...(!readOnly && { onDelete: () => onChange(value.filter((other) => other !== id)) })}
              sx={{ maxWidth: '100%' }}
            />
          ))}
        </Stack>
      )}
      {!readOnly && finds && value.length < (props.max ?? Number.POSITIVE_INFINITY) && (
        <RefPicker
          id={props.id}
          source={source}
          value={null}
          onChange={(id) => id !== null && onChange([...value, id])}
          without={value}
          label={props.label}
          placeholder={props.label}
          invalid={props.invalid ?? false}
          describedBy={props.describedBy}
          {...(props.onBlur && { onBlur: props.onBlur })}
          {...(props.inputRef && { inputRef: props.inputRef })}
        />
      )}
    </>
  )
}

interface FieldProps<T extends FieldValues, C, O, Row> {
  control: Control<T, C, O>
  name: FieldPath<T>
  source: RefSource<Row>
  finds: boolean
  names?: ReadonlyMap<number, string>
  max?: number
}

/** Records as a field of a form: `fields.<name>`, and below `refs` what adds one and what it means that there is none. */
export function RefsField<T extends FieldValues, C, O, Row>({ control, name, source, finds, names, max }: FieldProps<T, C, O, Row>) {
  const { t } = useTranslation()
  const { ns } = useFormScope()
  const labels = useLabels(ns)
  const own = control as unknown as Control<T>
  const key = name.replaceAll('.', '_')
  useStructured(control, name)
  const { id, label, help, disabled } = useField({ control: own, name } as never, (ids: number[]) =>
    ids.map((one, at) => (
      <span key={one}>
        {at > 0 && ', '}
        {names?.get(one) || <RefText source={source} id={one} />}
      </span>
    )),
  )
  const { field } = useController({ control: own, name })
  const { errors } = useFormState({ control: own, name })
  const found = get(errors, name) as Message | Record<string, Message | undefined> | undefined
  const wrong = [found, ...Object.values(found ?? {})].find(
    (one): one is Message => typeof one === 'object' && typeof one.message === 'string',
  )
  const error = wrong ? messageText(wrong, t) : null
  return (
    <FieldShell id={id} label={label} help={help} error={error} group>
      <RefsInput
        id={id}
        source={source}
        value={field.value}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputRef={field.ref}
        finds={finds}
        names={names}
        none={labels.text(`refs.none.${key}`)}
        label={labels.text(`refs.add.${key}`)}
        {...(max !== undefined && { max })}
        readOnly={disabled}
        invalid={error !== null}
        describedBy={error || help ? `${id}-help` : undefined}
      />
    </FieldShell>
  )
}
