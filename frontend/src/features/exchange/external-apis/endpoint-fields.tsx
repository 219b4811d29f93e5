import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { Suspense } from 'react'
import { type FieldPath, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type ExternalApiEndpointName, externalApiMethodValues, type Unit, unitValues } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { PAIR } from '~/features/exchange/shared/layout'
import { CheckField, EnumField, TextField } from '~/kit/form/fields'
import { Card } from '~/kit/ui/card'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { FIELDS_OF_LINES } from './mapping'
import { type ExternalApiForm, type ExternalApiFormProps, endpointPath } from './schema'

const EndpointTest = lazyWithTexts(() => import('./endpoint-test'), 'tree')

interface Props extends ExternalApiFormProps {
  endpoint: ExternalApiEndpointName
}

/** Fields of an endpoint: its request, a test, and the mapping of the response. */
export function EndpointFields({ form, row, endpoint }: Props) {
  const { t } = useTranslation('externalApis')
  const { control } = form
  const path = endpointPath(endpoint)
  const at = (name: string) => `${path}.${name}` as FieldPath<ExternalApiForm>
  const enabled = useWatch({ control, name: `${path}.enabled` })
  return (
    <Card title={t(`endpoints.${endpoint}.title`)} intro={t(`endpoints.${endpoint}.intro`)}>
      <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <CheckField control={control} name={at('enabled')} label={t('fields.enabled')} />
        {enabled && (
          <>
            {endpoint === 'availability' ? (
              <AvailabilityRequest form={form} />
            ) : (
              <TextField control={control} name={at('path')} label={t('fields.path')} help={t('help.list_path')} required max={1_000} />
            )}
            <Suspense fallback={null}>
              <EndpointTest form={form} row={row} endpoint={endpoint} />
            </Suspense>
            <Typography variant="h3">{t('mapping.title')}</Typography>
            <Typography variant="body2" color="textSecondary" sx={{ mt: -1.5 }}>
              {t('mapping.intro')}
            </Typography>
            <TextField control={control} name={at('list')} label={t('fields.list')} help={t('help.list')} max={255} mono />
            <Box sx={PAIR}>
              {FIELDS_OF_LINES[endpoint].map((name) => (
                <TextField
                  key={name}
                  control={control}
                  name={at(name)}
                  label={t(`fields.${name}`)}
                  help={name === 'next_page' ? t('help.next_page') : ''}
                  required={name === 'quantity' || name === 'number'}
                  max={255}
                  mono
                />
              ))}
              {endpoint === 'availability' && <UnitIfMissing form={form} />}
            </Box>
          </>
        )}
      </Box>
    </Card>
  )
}

function AvailabilityRequest({ form: { control } }: Pick<Props, 'form'>) {
  const { t } = useTranslation('externalApis')
  const method = useWatch({ control, name: 'availability.method' })
  return (
    <>
      <Box sx={PAIR}>
        <EnumField
          control={control}
          name="availability.method"
          label={t('fields.method')}
          labelOf={(value) => value}
          required
          values={externalApiMethodValues}
        />
        <TextField
          control={control}
          name="availability.lines_max"
          label={t('fields.lines_max')}
          help={t('help.lines_max')}
          required
          max={3}
        />
      </Box>
      <TextField
        control={control}
        name="availability.path"
        label={t('fields.path')}
        help={t('help.availability_path', PLACEHOLDERS)}
        required
        max={1_000}
      />
      {method === 'POST' && (
        <TextField control={control} name="availability.body" label={t('fields.body')} help={t('help.body', PLACEHOLDERS)} rows={4} mono />
      )}
    </>
  )
}

/** Placeholders that translations cannot contain, since i18next uses the same braces. */
const PLACEHOLDERS = { article: '{article_number}', warehouse: '{warehouse}', articles: '{article_numbers}' }

function UnitIfMissing({ form: { control } }: Pick<Props, 'form'>) {
  const { t } = useTranslation('externalApis')
  const symbol = useUnitSymbols()
  return (
    <EnumField
      control={control}
      name="availability.unit_if_missing"
      label={t('fields.unit_if_missing')}
      values={unitValues}
      labelOf={(value) => symbol(value as Unit)}
      none={t('baseUnit')}
    />
  )
}
