import type { FieldValues } from 'react-hook-form'
import { type FieldProps, FieldShell, useField } from './field-shell'
import { RefPicker } from './ref-picker'
import type { RefSource } from './ref-source'
import { RefText } from './ref-text'

interface RefProps<T extends FieldValues, C, Row> extends FieldProps<T, C> {
  source: RefSource<Row>
  /** Records that are not offered. */
  excludedIds?: readonly number[]
  onPick?: (id: number | null, row: Row | null) => void
}

export function RefField<T extends FieldValues, C, Row>(props: RefProps<T, C, Row>) {
  const { field, id, label, help, error, describedBy, disabled } = useField(
    props,
    (value: number | null) => value && <RefText source={props.source} id={value} />,
  )
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={props.required} hiddenLabel={props.hiddenLabel}>
      <RefPicker
        id={id}
        source={props.source}
        value={field.value ?? null}
        onChange={(value, row) => {
          field.onChange(value)
          props.onPick?.(value, row)
        }}
        onBlur={field.onBlur}
        inputRef={field.ref}
        disabled={disabled}
        invalid={error !== null}
        required={props.required}
        describedBy={describedBy}
        {...(props.excludedIds && { excludedIds: props.excludedIds })}
      />
    </FieldShell>
  )
}
