import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useId } from 'react'
import { type Control, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { partnerRef } from '~/features/exchange/partners/ref'
import { RefField } from '~/kit/form/ref-field'
import { useTenant } from '~/session/tenant'
import { type CartForm, SALE_SIDES } from './cart'

/** Choice between selling and buying the cart. */
export function SideChoice({ control }: { control: Control<CartForm> }) {
  const { t } = useTranslation('priceCalculator')
  const id = useId()
  const { field } = useController({ control, name: 'side' })
  return (
    <FormControl sx={{ mb: 1 }}>
      <FormLabel id={id} sx={{ typography: 'body2' }}>
        {t('fields.side')}
      </FormLabel>
      <RadioGroup row aria-labelledby={id} name={field.name} value={field.value} onChange={field.onChange} onBlur={field.onBlur}>
        {SALE_SIDES.map((side) => (
          <FormControlLabel key={side} value={side} control={<Radio size="small" />} label={t(`side.${side}`)} />
        ))}
      </RadioGroup>
    </FormControl>
  )
}

/** Field for the other party of the sale. */
export function OtherParty({ control, buys }: { control: Control<CartForm>; buys: boolean }) {
  const { tenantId } = useTenant()
  return buys ? (
    <RefField
      key="seller"
      control={control}
      name="seller_id"
      source={partnerRef}
      required
      {...(tenantId !== null && { excludedIds: [tenantId] })}
    />
  ) : (
    <RefField key="buyer" control={control} name="buyer_id" source={partnerRef} />
  )
}
