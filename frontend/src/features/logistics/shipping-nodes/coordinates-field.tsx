import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import { useId } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { PickPlace } from '~/features/logistics/shipping-map/pick-place'
import { DecimalField } from '~/kit/form/fields'
import { useFormScope } from '~/kit/form/form-context'
import { type Coordinates, parseCoordinates } from './coordinates'
import type { ShippingNodeBody, ShippingNodeForm } from './schema'

/** Fields for latitude and longitude. A pair pasted or typed into either of them fills both. */
export function CoordinatesField({ form }: { form: UseFormReturn<ShippingNodeForm, unknown, ShippingNodeBody> }) {
  const { t } = useTranslation('shippingNodes')
  const id = useId()
  const { readOnly } = useFormScope()
  const [latitude, longitude] = useWatch({ control: form.control, name: ['latitude', 'longitude'] })
  const fill = (pair: Coordinates) => {
    for (const name of ['latitude', 'longitude'] as const) {
      form.setValue(name, pair[name], { shouldDirty: true, shouldTouch: true })
      form.clearErrors(name)
    }
  }
  return (
    <Box
      role="group"
      aria-labelledby={id}
      aria-describedby={`${id}-help`}
      onPasteCapture={(event) => {
        const pair = parseCoordinates(event.clipboardData.getData('text'))
        if (!pair) return
        event.preventDefault()
        fill(pair)
      }}
      onBlur={() => {
        const pairs = (['latitude', 'longitude'] as const).map((name) => parseCoordinates(form.getValues(name)))
        const pair = pairs.find((candidate) => candidate !== null)
        if (pair) fill(pair)
      }}
    >
      <FormLabel component="div" id={id} sx={{ mb: 0.5 }}>
        {t('coordinates')}
      </FormLabel>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', alignItems: 'start' }}>
        <DecimalField control={form.control} name="latitude" unit="°" />
        <DecimalField control={form.control} name="longitude" unit="°" />
      </Box>
      <FormHelperText id={`${id}-help`}>{t('coordinatesHelp')}</FormHelperText>
      {!readOnly && <PickPlace value={latitude && longitude ? { latitude, longitude } : null} onPick={fill} />}
    </Box>
  )
}
