import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import { Check, Ruler } from 'lucide-react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type Shape, shapeValues } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import { FieldShell, useField } from '~/kit/form/field-shell'
import type { ArticleTypeBody, ArticleTypeForm } from './schema'
import { missingDimensions, REQUIRED_DIMENSIONS } from './shape'
import { SectionName } from './shape-drawing'
import { useRecheck } from './use-recheck'

/**
 * Field for the section that weights are computed from, with a list of the dimensions that attributes
 * measure.
 */
export function SectionField({ form }: { form: UseFormReturn<ArticleTypeForm, unknown, ArticleTypeBody> }) {
  const { control } = form
  const { t } = useTranslation('articleTypes')
  const labels = useLabels('articleTypes')
  const field = useField({ control, name: 'section' }, (shape: Shape | '') => shape && labels.enum('section', shape))
  const { id, error, describedBy } = field
  const attributes = useWatch({ control, name: 'attributes' })
  const section = field.field.value as Shape | ''
  const missing = missingDimensions(section, attributes)
  const texts = missing.map((dimension) => labels.enum('dimension', dimension)).join(', ')
  const lacksDimensions = field.fieldState.error?.message === 'articleTypes:dimensionMissing'

  useRecheck(form, 'section', texts)

  return (
    <FieldShell id={id} label={field.label} help={field.help} error={lacksDimensions ? t('dimensionMissing', { missing: texts }) : error}>
      <Select
        id={id}
        labelId={`${id}-label`}
        name="section"
        displayEmpty
        value={section}
        inputRef={field.field.ref}
        disabled={field.disabled}
        onChange={field.field.onChange}
        onBlur={field.field.onBlur}
        SelectDisplayProps={{ 'aria-describedby': describedBy }}
        renderValue={(shape) => (shape ? <SectionName section={shape} /> : t('noSection'))}
      >
        <MenuItem value="">{t('noSection')}</MenuItem>
        {shapeValues.map((shape) => (
          <MenuItem key={shape} value={shape} sx={{ whiteSpace: 'normal' }}>
            <SectionName section={shape} />
          </MenuItem>
        ))}
      </Select>
      {section && (
        <Box
          component="ul"
          aria-label={t('needs')}
          sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, listStyle: 'none', m: 0, mt: 1, p: 0 }}
        >
          {REQUIRED_DIMENSIONS[section].map((dimension) => {
            const open = missing.includes(dimension)
            const text = labels.enum('dimension', dimension)
            return (
              <Chip
                key={dimension}
                component="li"
                size="small"
                variant="outlined"
                color={open ? 'warning' : 'success'}
                icon={open ? <Ruler size={14} aria-hidden /> : <Check size={14} aria-hidden />}
                label={open ? t('needsOpen', { dimension: text }) : text}
              />
            )
          })}
        </Box>
      )}
    </FieldShell>
  )
}
