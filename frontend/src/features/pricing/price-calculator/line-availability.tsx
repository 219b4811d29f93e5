import Box from '@mui/material/Box'
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AvailabilityResult } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'

/** Colour and icon of each state, so that colour is never the only distinction. */
const LOOK = {
  yes: { icon: CircleCheck, color: 'success.main' },
  no: { icon: CircleX, color: 'error.main' },
  unknown: { icon: CircleHelp, color: 'text.secondary' },
} as const

/** Availability of a line's article, with its source and age. */
export default function LineAvailability({ result }: { result: AvailabilityResult }) {
  const { t } = useTranslation('priceCalculator')
  const { decimal, ago } = useFormat()
  const symbol = useUnitSymbols()
  const { available, reason, quantity, quantity_unit, warehouse, as_of, answered_by } = result
  // the line itself shows what is wrong
  if (reason === 'refused') return null
  const { icon, color } = LOOK[available]
  const facts = [
    t(reason === 'no_stock' ? 'availability.no_stock' : `availability.${available}`),
    quantity !== null && quantity_unit && t('availability.quantity', { quantity: `${decimal(quantity)} ${symbol(quantity_unit)}` }),
    warehouse && t('availability.warehouse', { warehouse: warehouse.short_code }),
    answered_by && (as_of || answered_by === 'unknown') && t(`availability.by.${answered_by}`, { ago: as_of ? ago(as_of) : '' }),
  ]
  return (
    <Box component="span" role="status" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, typography: 'body2' }}>
      <Box component={icon} size={16} aria-hidden sx={{ color, flexShrink: 0 }} />
      <span>{facts.filter(Boolean).join(' · ')}</span>
    </Box>
  )
}
