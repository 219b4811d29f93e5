import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { X } from 'lucide-react'
import { type Ref, useState } from 'react'
import { type Control, type FieldPath, type FieldValues, get, useController, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import { type Message, messageText } from '~/kit/ui/message'
import { useCompositeField } from './composite-field'
import { FieldShell, useField } from './field-shell'
import { type ListEntryOptions, useFormScope } from './form-context'
import { RefPicker } from './ref-picker'
import type { RefSource } from './ref-source'
import { RefText } from './ref-text'

interface InputProps<Row> {
  id: string
  source: RefSource<Row>
  value: readonly number[]
  onChange: (ids: number[]) => void
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement>
  /** True if the caller may search these records; otherwise only their numbers can be shown. */
  canSearch: boolean
  /** Names that are already loaded, by id. */
  names?: ReadonlyMap<number, string> | undefined
  /** Text of an empty list. */
  none?: string | undefined
  /** Label of the search field. */
  label: string
  max?: number
  readOnly?: boolean
  invalid?: boolean
  /** Position of the entry that the error is about. */
  invalidIndex?: number | undefined
  describedBy?: string | undefined
}

/** List of referenced records: entries that can be removed, and a search that adds one. */
export function RefsInput<Row>(props: InputProps<Row>) {
  const { id, source, value, onChange, canSearch, names, readOnly = false } = props
  const { t } = useTranslation()
  const [addedLabels, setAddedLabels] = useState<ReadonlyMap<number, string>>(new Map())
  const add = (addedId: number | null, row: Row | null) => {
    if (addedId === null || row === null) return
    setAddedLabels(new Map(addedLabels).set(addedId, source.label(row)))
    onChange([...value, addedId])
  }
  const remove = (removedId: number) => {
    onChange(value.filter((other) => other !== removedId))
    // the button has disappeared: move the focus to the search
    document.getElementById(id)?.focus()
  }
  return (
    <>
      {value.length === 0 && props.none && <Box sx={{ color: 'text.secondary', typography: 'body2', pb: 0.75 }}>{props.none}</Box>}
      {value.length > 0 && (
        <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, listStyle: 'none', m: 0, p: 0, pb: readOnly ? 0 : 0.75 }}>
          {value.map((refId, at) => (
            <Box
              component="li"
              key={refId}
              sx={{
                display: 'inline-flex',
                alignItems: 'center',
                minHeight: 32,
                maxWidth: '100%',
                pl: 1.5,
                pr: readOnly ? 1.5 : 0.5,
                borderRadius: 4,
                bgcolor: 'action.selected',
                typography: 'body2',
                ...(at === props.invalidIndex && { outline: 2, outlineColor: 'error.main' }),
              }}
            >
              <Box component="span" id={`${id}-${refId}`} sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                {names?.get(refId) || addedLabels.get(refId) || (canSearch ? <RefText source={source} id={refId} /> : `#${refId}`)}
              </Box>
              {!readOnly && (
                <IconButton
                  id={`${id}-${refId}-take`}
                  size="small"
                  aria-label={t('actions.remove')}
                  aria-labelledby={`${id}-${refId} ${id}-${refId}-take`}
                  aria-describedby={at === props.invalidIndex ? props.describedBy : undefined}
                  onClick={() => remove(refId)}
                  sx={{ p: 0.5 }}
                >
                  <X size={16} />
                </IconButton>
              )}
            </Box>
          ))}
        </Box>
      )}
      {!readOnly && canSearch && value.length < (props.max ?? Number.POSITIVE_INFINITY) && (
        <RefPicker
          id={id}
          source={source}
          value={null}
          onChange={add}
          excludedIds={value}
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
  canSearch: boolean
  names?: ReadonlyMap<number, string>
  max?: number
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && typeof (value as Message).message === 'string'

/**
 * Merges a list of references entry by entry when two people edit it at the same time. `names` gives the
 * names that a record carries.
 */
export const refEntries = <Row, Of>(
  source: RefSource<Row>,
  names: (owner: Of) => ReadonlyMap<number, string>,
): ListEntryOptions<number, Of> => ({
  key: (id) => id,
  text: (id, owner) => names(owner).get(id) || <RefText source={source} id={id} />,
})

/**
 * References as a form field. Texts: `fields.<name>`, `refs.add.<name>` for the search, and
 * `refs.none.<name>` for an empty list.
 */
export function RefsField<T extends FieldValues, C, O, Row>({ control, name, source, canSearch, names, max }: FieldProps<T, C, O, Row>) {
  const { t } = useTranslation()
  const { ns } = useFormScope()
  const labels = useLabels(ns)
  const own = control as unknown as Control<T>
  const key = name.replaceAll('.', '_')
  useCompositeField(control, name)
  const { id, label, help, disabled } = useField({ control: own, name } as never, (ids: number[]) =>
    ids.map((refId, at) => (
      <span key={refId}>
        {at > 0 && ', '}
        {names?.get(refId) || (canSearch ? <RefText source={source} id={refId} /> : `#${refId}`)}
      </span>
    )),
  )
  const { field } = useController({ control: own, name })
  const { errors } = useFormState({ control: own, name })
  const fieldErrors = get(errors, name) as Message | Record<string, Message | undefined> | undefined
  const [part, problem] = Object.entries({ all: fieldErrors, ...fieldErrors }).find(([, one]) => isMessage(one)) ?? []
  const error = isMessage(problem) ? messageText(problem, t) : null
  return (
    <FieldShell id={id} label={label} help={help} error={error} group>
      <RefsInput
        id={id}
        source={source}
        value={field.value}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputRef={field.ref}
        canSearch={canSearch}
        names={names}
        none={labels.text(`refs.none.${key}`)}
        label={labels.text(`refs.add.${key}`)}
        {...(max !== undefined && { max })}
        readOnly={disabled}
        invalid={error !== null}
        invalidIndex={Number(part)}
        describedBy={error || help ? `${id}-help` : undefined}
      />
    </FieldShell>
  )
}
