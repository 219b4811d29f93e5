import type { Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { MomentField } from '~/kit/form/moment-field'
import { isZoneForeign, useConfig } from '~/session/config'
import type { CartForm } from './cart'

/**
 * Fields for the day and time that a cart is calculated for, in the time zone of the installation; without a
 * day it is now.
 */
export function CalculationTime({ control }: { control: Control<CartForm> }) {
  const { t } = useTranslation('priceCalculator')
  const { time_zone: zone } = useConfig()
  const help = isZoneForeign(zone) ? t('moment.zone', { zone }) : t('moment.help')
  return <MomentField control={control} day="day" time="time" timeLabel={t('moment.time')} help={help} />
}
