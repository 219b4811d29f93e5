import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import { type Control, Controller, type UseFormReturn, useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { attributeRef } from '~/features/catalog/attributes/ref'
import { useListError } from '~/kit/form/field-error'
import { useFormScope } from '~/kit/form/form-context'
import { RefPicker } from '~/kit/form/ref-picker'
import { SortableList } from '~/kit/form/sortable-list'
import { DimensionSelect } from './dimension-select'
import { proposedDimension } from './proposed-dimension'
import type { ArticleTypeBody, ArticleTypeForm } from './schema'

interface Props {
  form: UseFormReturn<ArticleTypeForm, unknown, ArticleTypeBody>
  /** True if there are articles, which need a value for exactly these attributes. */
  fixed: boolean
}

/** Editor for the attributes of a type, in order; primary attributes distinguish its articles. */
export function AttributesEditor({ form: { control, getValues }, fixed }: Props) {
  const { t } = useTranslation('articleTypes')
  const id = useId()
  const { readOnly } = useFormScope()
  const { fields, append, move, remove } = useFieldArray({ control, name: 'attributes', keyName: 'key' })
  const error = useListError(control, 'attributes')
  return (
    <Box role="group" aria-labelledby={id} aria-describedby={error ? `${id}-error` : undefined}>
      <FormLabel component="div" id={id} error={error !== null}>
        {t('fields.attributes')} <span aria-hidden>*</span>
      </FormLabel>
      {fields.length > 0 ? (
        <SortableList
          items={fields}
          id={(field) => field.attribute_id}
          name={(field) => field.name}
          detail={(field, at) => (
            <Box component="span" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2 }}>
              <code>{`{${field.placeholder}}`}</code>
              <DimensionSelect control={control as unknown as Control<ArticleTypeForm>} at={at} />
            </Box>
          )}
          tools={(field, at) => (
            <Controller
              control={control}
              name={`attributes.${at}.primary`}
              render={({ field: { value, onChange, ref, onBlur } }) => (
                <FormControlLabel
                  label={t('fields.primary')}
                  disabled={readOnly}
                  sx={{ mr: 0 }}
                  control={
                    <Checkbox
                      size="small"
                      checked={value}
                      onChange={(_, checked) => onChange(checked)}
                      onBlur={onBlur}
                      slotProps={{ input: { ref, 'aria-label': t('primaryOf', { name: field.name }) } }}
                    />
                  }
                />
              )}
            />
          )}
          actions={(_, at) => [
            { label: t('removeAttribute'), icon: Trash2, danger: true, blocked: fixed ? t('kept') : null, onClick: () => remove(at) },
          ]}
          onMove={move}
          fixed={readOnly}
        />
      ) : (
        readOnly && '\u2013'
      )}
      {!readOnly && !fixed && (
        <Box sx={{ mt: 1 }}>
          <RefPicker
            id={`${id}-add`}
            source={attributeRef}
            value={null}
            onChange={(_, row) => {
              if (!row) return
              const { id: attribute_id, name, placeholder, type, primary } = row
              const usedDimensions = getValues('attributes').map(({ dimension }) => dimension)
              const dimension = proposedDimension(row, usedDimensions)
              append({ attribute_id, name, placeholder, type, primary, dimension }, { shouldFocus: false })
            }}
            excludedIds={fields.map((field) => field.attribute_id)}
            label={t('addAttribute')}
            placeholder={t('addAttribute')}
            invalid={error !== null}
            describedBy={error ? `${id}-error` : undefined}
          />
        </Box>
      )}
      <FormHelperText id={`${id}-error`} error={error !== null} role={error ? 'alert' : undefined}>
        {error ?? t('attributesHint')}
      </FormHelperText>
    </Box>
  )
}
