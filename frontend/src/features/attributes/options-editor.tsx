import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import IconButton from '@mui/material/IconButton'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { type Control, useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useListError } from '~/kit/form/field-error'
import { DecimalField, TextField } from '~/kit/form/fields'
import { useFormScope } from '~/kit/form/form-context'
import { type AttributeForm, EMPTY_OPTION } from './schema'

const COLUMNS = ['options_name', 'options_value', 'options_display_value', 'options_weight_per_base_unit'] as const

/** One row per option; on a small screen one block. */
export function OptionsEditor({ control }: { control: Control<AttributeForm> }) {
  const { t } = useTranslation('attributes')
  const { t: common } = useTranslation()
  const id = useId()
  const { readOnly } = useFormScope()
  const wide = useMediaQuery(useTheme().breakpoints.up('sm'), { noSsr: true })
  // the rows carry their own `id`
  const { fields, append, remove } = useFieldArray({ control, name: 'options', keyName: 'key' })
  const error = useListError(control, 'options')
  const grid = { display: 'grid', gap: 1, gridTemplateColumns: { xs: '1fr', sm: 'repeat(4, minmax(0, 1fr)) 40px' }, alignItems: 'start' }
  return (
    <Box role="group" aria-labelledby={id}>
      <FormLabel component="div" id={id} error={error !== null}>
        {t('fields.options')} <span aria-hidden>*</span>
      </FormLabel>
      {error && (
        <FormHelperText error role="alert" sx={{ mb: 1 }}>
          {error}
        </FormHelperText>
      )}
      {wide && fields.length > 0 && (
        <Box sx={grid} aria-hidden>
          {COLUMNS.map((name) => (
            <FormLabel key={name} component="span" sx={{ '&&': { fontSize: '0.8125rem', color: 'text.secondary' } }}>
              {t(`fields.${name}`)}
              {(name === 'options_name' || name === 'options_value') && ' *'}
            </FormLabel>
          ))}
        </Box>
      )}
      <Box sx={{ display: 'grid', gap: wide ? 1 : 2 }}>
        {fields.map((field, at) => (
          <Box
            key={field.key}
            role="group"
            aria-label={t('optionNumber', { number: at + 1 })}
            sx={{ ...grid, ...(!wide && { p: 2, border: 1, borderColor: 'divider', borderRadius: 1 }) }}
          >
            <TextField control={control} name={`options.${at}.name`} required max={255} hiddenLabel={wide} />
            <TextField control={control} name={`options.${at}.value`} required max={255} hiddenLabel={wide} />
            <TextField control={control} name={`options.${at}.display_value`} max={255} hiddenLabel={wide} />
            <DecimalField control={control} name={`options.${at}.weight_per_base_unit`} unit="kg" hiddenLabel={wide} />
            {!readOnly && (
              <IconButton
                aria-label={t('removeOption', { number: at + 1 })}
                onClick={() => remove(at)}
                sx={{ justifySelf: { xs: 'end', sm: 'center' } }}
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
          onClick={() => append(EMPTY_OPTION, { focusName: `options.${fields.length}.name` })}
          sx={{ mt: 1 }}
        >
          {common('actions.add')}
        </Button>
      )}
    </Box>
  )
}
