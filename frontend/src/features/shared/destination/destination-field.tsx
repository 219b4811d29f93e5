import Box from '@mui/material/Box'
import FormLabel from '@mui/material/FormLabel'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { shippingNodeRef } from '~/features/logistics/shipping-nodes/ref'
import { FieldShell } from '~/kit/form/field-shell'
import { RefPicker } from '~/kit/form/ref-picker'
import { useDestination } from './use-destination'

/** Field for the shipping node that goods are sent to; inline, the label is beside the field. */
export default function DestinationField({ inline = false }: { inline?: boolean }) {
  const { t } = useTranslation('destination')
  const id = useId()
  const [destination, setDestination] = useDestination()
  const picker = <RefPicker id={id} source={shippingNodeRef} value={destination} onChange={setDestination} placeholder={t('choose')} />
  if (!inline) {
    return (
      <FieldShell id={id} label={t('label')} help="" error={null}>
        {picker}
      </FieldShell>
    )
  }
  return (
    <Box sx={{ display: 'grid', columnGap: 1.5, alignItems: 'center', gridTemplateColumns: { sm: 'max-content minmax(0, 320px)' } }}>
      <FormLabel htmlFor={id} sx={{ mb: { sm: 0 } }}>
        {t('label')}
      </FormLabel>
      {picker}
    </Box>
  )
}
