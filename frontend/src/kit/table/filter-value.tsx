import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import { DateInput } from '~/kit/form/date-input'
import { DecimalInput } from '~/kit/form/decimal-input'
import { RefPicker } from '~/kit/form/ref-picker'
import { focusOnMount } from '~/kit/ui/focus-on-mount'
import type { FilterSpec } from './list-state'
import type { List } from './use-list-state'

interface Props {
  id: string
  ns: List['ns']
  field: string
  spec: FilterSpec
  /** Record to which the value belongs. */
  record: number | null
  /** True if several values can be chosen. */
  multiple: boolean
  values: string[]
  onChange: (values: string[]) => void
  autoFocus: boolean
  invalid: boolean
  describedBy: string | undefined
}

/** Input for the value of a filter, by its kind. */
export function FilterValue(props: Props) {
  const { id, ns, field, spec, record, multiple, values, onChange, invalid, describedBy } = props
  const { t } = useTranslation()
  const labels = useLabels(ns)
  const [value = ''] = values
  const setSingle = (next: string) => onChange(next === '' ? [] : [next])
  const descriptionProps = describedBy ? { 'aria-describedby': describedBy } : {}
  if (spec.kind === 'value') {
    const none = <OutlinedInput id={id} disabled value="" />
    if (record === null) return none
    return (
      <Suspense fallback={none}>
        <spec.Input key={record} id={id} record={record} value={value} onChange={setSingle} invalid={invalid} describedBy={describedBy} />
      </Suspense>
    )
  }
  if (spec.kind === 'ref') {
    return (
      <RefPicker
        id={id}
        source={spec.source}
        value={value ? Number(value) : null}
        onChange={(ref) => setSingle(ref === null ? '' : String(ref))}
        invalid={invalid}
      />
    )
  }
  const choices =
    spec.kind === 'bool'
      ? ['true', 'false'].map((choice) => [choice, t(choice === 'true' ? 'states.yes' : 'states.no')] as const)
      : spec.kind === 'enum'
        ? spec.values.map((choice) => [choice, spec.Text ? <spec.Text key={choice} value={choice} /> : labels.enum(field, choice)] as const)
        : null
  if (choices) {
    return (
      <Select
        multiple={multiple}
        value={multiple ? values : value}
        onChange={(event) => {
          const next = event.target.value as string | string[]
          if (typeof next === 'string') setSingle(next)
          else onChange(next)
        }}
        labelId={`${id}-label`}
        id={id}
      >
        {choices.map(([choice, label]) => (
          <MenuItem key={choice} value={choice}>
            {label}
          </MenuItem>
        ))}
      </Select>
    )
  }
  if (spec.kind === 'date') {
    return (
      <DateInput
        id={id}
        inputRef={props.autoFocus ? focusOnMount : undefined}
        value={value}
        onChange={setSingle}
        inputProps={descriptionProps}
      />
    )
  }
  const shared = { id, value, inputRef: props.autoFocus ? focusOnMount : undefined, inputProps: { maxLength: 255, ...descriptionProps } }
  if (spec.kind === 'decimal') return <DecimalInput {...shared} onChange={setSingle} onBlur={() => {}} unit={spec.unit} />
  return <OutlinedInput {...shared} onChange={(event) => setSingle(event.target.value)} />
}
