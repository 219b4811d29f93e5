import Autocomplete from '@mui/material/Autocomplete'
import OutlinedInput from '@mui/material/OutlinedInput'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type Ref, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '~/kit/ui/error-text'
import { fold } from '~/lib/fold'
import { useDebounced } from '~/lib/use-debounced'
import type { RefSource } from './ref-source'

interface Props<Row> {
  id: string
  source: RefSource<Row>
  value: number | null
  onChange: (id: number | null, row: Row | null) => void
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement>
  disabled?: boolean
  invalid?: boolean
  required?: boolean | undefined
  describedBy?: string | undefined
  placeholder?: string
  label?: string
  /** Records that are not offered. */
  excludedIds?: readonly number[]
}

/** Record with exactly this label, or with this number or name alone: `DU` finds `DU · Duisburg`. */
function findExact<Row>(rows: readonly Row[], label: (row: Row) => string, typed: string): Row | undefined {
  const parts = rows.filter((row) =>
    label(row)
      .split(' · ')
      .some((part) => fold(part) === typed),
  )
  return rows.find((row) => fold(label(row)) === typed) ?? (parts.length === 1 ? parts[0] : undefined)
}

/**
 * Picks a record by typing a part of its name; the server searches. An exact match comes first; Enter takes
 * it, or the only result. An unknown id is reported as such.
 */
export function RefPicker<Row>(props: Props<Row>) {
  const { source, value } = props
  const { t } = useTranslation()
  const errorText = useErrorText()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  /** Text for which Enter was pressed before its results arrived; still valid after the field is left. */
  const [pending, setPending] = useState<string | null>(null)
  const text = pending ?? typed
  const search = useDebounced(text ?? '', 300)
  const results = useQuery({ ...source.find(search), enabled: open || pending !== null, placeholderData: keepPreviousData })
  const matches: Row[] = (results.data?.data ?? []).filter((row) => !props.excludedIds?.includes(source.id(row)))
  const exact = text === null ? undefined : findExact(matches, source.label, fold(text))
  const rows = exact ? [exact, ...matches.filter((row) => row !== exact)] : matches
  const listedRow = rows.find((row) => source.id(row) === value)
  const selected = useQuery({ ...source.one(value ?? 0), enabled: value !== null && !listedRow })
  const current: Row | null = listedRow ?? (value !== null ? (selected.data ?? null) : null)
  const unknown = value !== null && !current && selected.isError

  const isAnswered = Boolean(text?.trim()) && search === text && !results.isPlaceholderData && !results.isPending
  const match = isAnswered ? (exact ?? (rows.length === 1 ? rows[0] : undefined)) : undefined
  const highlighted = useRef(false)
  const select = (row: Row) => {
    setTyped(null)
    setOpen(false)
    props.onChange(source.id(row), row)
  }
  const selectMatch = useEffectEvent(() => {
    setPending(null)
    if (match) select(match)
  })
  useEffect(() => {
    if (pending !== null && isAnswered) selectMatch()
  }, [pending, isAnswered])

  function onKeyDown(event: KeyboardEvent & { defaultMuiPrevented?: boolean }) {
    if (event.key === 'Escape' || event.key.startsWith('Arrow')) setPending(null)
    if (event.key !== 'Enter') return
    // Enter with a modifier submits the form
    if (!typed?.trim() || event.ctrlKey || event.metaKey || (isAnswered && highlighted.current)) return
    event.preventDefault()
    event.defaultMuiPrevented = true
    if (!isAnswered) setPending(typed)
    else if (match) select(match)
  }

  return (
    <Autocomplete<Row>
      id={props.id}
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      onKeyDown={onKeyDown}
      autoHighlight={match !== undefined}
      onHighlightChange={(_, row) => {
        highlighted.current = row !== null
      }}
      options={current && !rows.includes(current) && !text ? [current, ...rows] : rows}
      value={current}
      disabled={props.disabled ?? false}
      onChange={(_, row) => {
        // if the typed text equals the label, the input value does not change and no event resets it
        setTyped(null)
        setPending(null)
        props.onChange(row === null ? null : source.id(row), row)
      }}
      inputValue={text ?? (current ? source.label(current) : '')}
      onInputChange={(_, input, reason) => {
        highlighted.current = false
        setTyped(reason === 'input' ? input : null)
        if (reason === 'input') setPending(null)
      }}
      filterOptions={(options) => options}
      getOptionKey={(row) => source.id(row)}
      getOptionLabel={(row) => source.label(row)}
      isOptionEqualToValue={(a, b) => source.id(a) === source.id(b)}
      loading={results.isFetching}
      loadingText={t('states.loading')}
      noOptionsText={results.isError ? errorText(results.error) : t('list.noMatch')}
      clearText={t('actions.clear')}
      openText={t('actions.open')}
      closeText={t('actions.close')}
      slotProps={{ listbox: { sx: { maxHeight: 350 } } }}
      renderInput={(params) => (
        <OutlinedInput
          ref={params.slotProps.input.ref}
          className={params.slotProps.input.className}
          onMouseDown={params.slotProps.input.onMouseDown}
          endAdornment={params.slotProps.input.endAdornment}
          fullWidth
          error={props.invalid ?? false}
          disabled={params.disabled}
          placeholder={unknown ? t('states.unknownValue') : props.placeholder}
          onBlur={props.onBlur}
          inputProps={{
            ...params.slotProps.htmlInput,
            // tooltip for text that does not fit
            ...(!open && current && { title: source.label(current) }),
            'aria-required': props.required,
            'aria-describedby': props.describedBy,
            ...(props.label && { 'aria-label': props.label }),
          }}
          inputRef={props.inputRef}
        />
      )}
    />
  )
}
