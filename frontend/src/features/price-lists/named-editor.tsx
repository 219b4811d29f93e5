import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import Stack from '@mui/material/Stack'
import { useId } from 'react'
import { type Control, useController } from 'react-hook-form'
import { useLabels } from '~/i18n/labels'
import { useListError } from '~/kit/form/field-error'
import { useFormScope } from '~/kit/form/form-context'
import { RefPicker } from '~/kit/form/ref-picker'
import type { RefSource } from '~/kit/list/ref-source'
import type { PriceListBody, PriceListForm } from './schema'

interface Props<Row> {
  control: Control<PriceListForm, unknown, PriceListBody>
  name: 'tenant_ids' | 'tenant_group_ids'
  source: RefSource<Row>
  nameOf: (row: Row) => string
  /** Whether the caller may search for them. */
  finds: boolean
}

/** Whom a list names: chips to take away, and a search to add. */
export function NamedEditor<Row extends { id: number }>({ control, name, source, nameOf, finds }: Props<Row>) {
  const id = useId()
  const labels = useLabels('priceLists')
  const { readOnly } = useFormScope()
  const { field } = useController({ control, name })
  const error = useListError(control, name)
  const rows = field.value
  return (
    <Box role="group" aria-labelledby={id}>
      <FormLabel component="div" id={id} error={error !== null}>
        {labels.field(name)}
      </FormLabel>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 0.75, py: 0.75 }}>
        {rows.length === 0 && (
          <Box component="span" sx={{ color: 'text.secondary', typography: 'body2' }}>
            {labels.text(`named.${name}`)}
          </Box>
        )}
        {rows.map((row) => (
          <Chip
            key={row.id}
            label={row.name}
            {...(!readOnly && { onDelete: () => field.onChange(rows.filter((other) => other.id !== row.id)) })}
          />
        ))}
      </Stack>
      {!readOnly && finds && (
        <RefPicker
          id={`${id}-add`}
          source={source}
          value={null}
          onChange={(_, row) => row && field.onChange([...rows, { id: row.id, name: nameOf(row) }])}
          without={rows.map((row) => row.id)}
          label={labels.text(`named.add_${name}`)}
          placeholder={labels.text(`named.add_${name}`)}
          invalid={error !== null}
          describedBy={error ? `${id}-error` : undefined}
        />
      )}
      {error && (
        <FormHelperText id={`${id}-error`} error role="alert">
          {error}
        </FormHelperText>
      )}
    </Box>
  )
}
