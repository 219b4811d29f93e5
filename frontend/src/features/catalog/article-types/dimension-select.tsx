import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type Control, useController, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { dimensionValues } from '~/api/schema'
import { attributeRef } from '~/features/catalog/attributes/ref'
import { useLabels } from '~/i18n/labels'
import { useFieldError } from '~/kit/form/field-error'
import { useFormScope } from '~/kit/form/form-context'
import { NativeSelect } from '~/kit/ui/native-select'
import { isMeasuredTwice, measurableDimensions } from './proposed-dimension'
import type { ArticleTypeForm } from './schema'

interface Props {
  control: Control<ArticleTypeForm>
  at: number
}

/** Select for the dimension of the article that an attribute measures. */
export function DimensionSelect({ control, at }: Props) {
  const { t } = useTranslation('articleTypes')
  const labels = useLabels('articleTypes')
  const { readOnly } = useFormScope()
  const id = useId()
  const { field, fieldState } = useController({ control, name: `attributes.${at}.dimension` })
  const error = useFieldError(fieldState.error)
  const rows = useWatch({ control, name: 'attributes' })
  const row = rows[at]
  const { data: attribute } = useQuery({
    ...attributeRef.one(row?.attribute_id ?? 0),
    enabled: row !== undefined && row.type !== 'custom' && !readOnly,
  })
  const offered = attribute ? measurableDimensions(attribute) : []
  const text = (dimension: string) => labels.enum('dimension', dimension)

  if (readOnly) return field.value ? <span>{t('measures', { dimension: text(field.value) })}</span> : null
  if (!field.value && !error && offered.length === 0) return null
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-grid',
        // on a phone the label has no room beside the choice
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'auto minmax(7rem, max-content)' },
        alignItems: 'center',
        columnGap: 0.75,
      }}
    >
      <label htmlFor={id}>{t('fields.dimension')}</label>
      <NativeSelect
        variant="standard"
        name={field.name}
        inputRef={field.ref}
        value={field.value}
        error={error !== null}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputProps={{
          id,
          'aria-label': t('measuredBy', { name: row?.name ?? '' }),
          'aria-describedby': error ? `${id}-error` : undefined,
        }}
        sx={{ fontSize: 'inherit' }}
      >
        <option value="">{t('measuresNothing')}</option>
        {dimensionValues.map((dimension) => {
          if (dimension !== field.value && !offered.includes(dimension)) return null
          const other = rows.find((one, index) => index !== at && isMeasuredTwice(one.dimension, dimension))
          return (
            <option key={dimension} value={dimension} disabled={other !== undefined}>
              {other ? t('measuredAlready', { dimension: text(dimension), name: other.name }) : text(dimension)}
            </option>
          )
        })}
      </NativeSelect>
      {error && (
        <FormHelperText id={`${id}-error`} error sx={{ mt: 0, gridColumn: '1 / -1' }}>
          {error}
        </FormHelperText>
      )}
    </Box>
  )
}
