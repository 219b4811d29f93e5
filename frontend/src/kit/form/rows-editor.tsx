import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import IconButton from '@mui/material/IconButton'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { type Control, type FieldArray, type FieldArrayPath, type FieldPath, type FieldValues, useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import { useListError } from './field-error'
import { useFormScope } from './form-context'

interface Props<T extends FieldValues, N extends FieldArrayPath<T>> {
  control: Control<T>
  name: N
  /** Fields of a row; the first one takes the focus in a new row. */
  columns: readonly { name: string; required?: boolean }[]
  /** Returns the values of a new row. */
  empty: () => FieldArray<T, N>
  rowLabel: (number: number) => string
  removeLabel: (number: number) => string
  /** Renders the fields of a row; their labels are hidden if the columns have heads. */
  children: (at: number, hiddenLabel: boolean) => ReactNode
  /** Content between the heading and the rows. */
  lead?: ReactNode
  /** True if the list may be empty. */
  optional?: boolean
  /** Puts two fields side by side on a small screen. */
  pairs?: boolean
}

/** Editor for a list of parts: a row each, on a small screen a block each. */
export function RowsEditor<T extends FieldValues, N extends FieldArrayPath<T>>(props: Props<T, N>) {
  const { control, name, columns } = props
  const { ns, readOnly } = useFormScope()
  const labels = useLabels(ns)
  const { t } = useTranslation()
  const id = useId()
  const isWide = useMediaQuery(useTheme().breakpoints.up('sm'), { noSsr: true })
  // the rows have their own `id`
  const { fields, append, remove } = useFieldArray({ control, name, keyName: 'key' })
  const error = useListError(control, name)
  const narrow = props.pairs ? 'repeat(2, minmax(0, 1fr))' : '1fr'
  const grid = {
    display: 'grid',
    gap: 1,
    gridTemplateColumns: { xs: narrow, sm: `repeat(${columns.length}, minmax(0, 1fr)) 40px` },
    alignItems: 'start',
  }
  return (
    <Box role="group" aria-labelledby={id}>
      <FormLabel component="div" id={id} error={error !== null}>
        {labels.field(name)} {!props.optional && <span aria-hidden>*</span>}
      </FormLabel>
      {error && (
        <FormHelperText error role="alert" sx={{ mb: 1 }}>
          {error}
        </FormHelperText>
      )}
      {props.lead}
      {isWide && fields.length > 0 && (
        <Box sx={grid} aria-hidden>
          {columns.map((column) => (
            <FormLabel key={column.name} component="span" sx={{ '&&': { fontSize: '0.8125rem', color: 'text.secondary' } }}>
              {labels.field(`${name}_${column.name}`)}
              {column.required && ' *'}
            </FormLabel>
          ))}
        </Box>
      )}
      <Box sx={{ display: 'grid', gap: isWide ? 1 : 2 }}>
        {fields.map((field, at) => (
          <Box
            key={field.key}
            role="group"
            aria-label={props.rowLabel(at + 1)}
            sx={{ ...grid, ...(!isWide && { p: 2, border: 1, borderColor: 'divider', borderRadius: 1 }) }}
          >
            {props.children(at, isWide)}
            {!readOnly && (
              <IconButton
                aria-label={props.removeLabel(at + 1)}
                onClick={() => remove(at)}
                sx={{ justifySelf: { xs: 'end', sm: 'center' }, gridColumn: { xs: '1 / -1', sm: 'auto' } }}
              >
                <Trash2 size={18} />
              </IconButton>
            )}
          </Box>
        ))}
      </Box>
      {!readOnly && (
        <Button
          startIcon={<Plus size={16} />}
          onClick={() => append(props.empty(), { focusName: `${name}.${fields.length}.${columns[0]?.name}` as FieldPath<T> })}
          sx={{ mt: 1 }}
        >
          {t('actions.add')}
        </Button>
      )}
    </Box>
  )
}
