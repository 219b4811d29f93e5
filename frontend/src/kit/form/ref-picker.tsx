import Autocomplete from '@mui/material/Autocomplete'
import OutlinedInput from '@mui/material/OutlinedInput'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDebounced } from '~/lib/use-debounced'
import type { RefSource } from '../list/ref-source'

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
  without?: readonly number[]
}

/** Picks a record by typing a part of its name; the server searches. An id that nobody knows says so. */
export function RefPicker<Row>(props: Props<Row>) {
  const { source, value } = props
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const search = useDebounced(typed ?? '', 300)
  const found = useQuery({ ...source.find(search), enabled: open, placeholderData: keepPreviousData })
  const rows: Row[] = (found.data?.data ?? []).filter((row) => !props.without?.includes(source.id(row)))
  const listed = rows.find((row) => source.id(row) === value)
  const one = useQuery({ ...source.one(value ?? 0), enabled: value !== null && !listed })
  const current: Row | null = listed ?? (value !== null ? (one.data ?? null) : null)
  const unknown = value !== null && !current && one.isError

  return (
    <Autocomplete<Row>
      id={props.id}
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      options={current && !rows.includes(current) && !typed ? [current, ...rows] : rows}
      value={current}
      disabled={props.disabled ?? false}
      onChange={(_, row) => props.onChange(row === null ? null : source.id(row), row)}
      inputValue={typed ?? (current ? source.label(current) : '')}
      onInputChange={(_, text, reason) => setTyped(reason === 'input' ? text : null)}
      filterOptions={(options) => options}
      getOptionKey={(row) => source.id(row)}
      getOptionLabel={(row) => source.label(row)}
      isOptionEqualToValue={(a, b) => source.id(a) === source.id(b)}
      loading={found.isFetching}
      loadingText={t('states.loading')}
      noOptionsText={found.isError ? t('list.failed') : t('list.noMatch')}
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
