import Chip from '@mui/material/Chip'
import { useTranslation } from 'react-i18next'

/** State of a node; an inactive one is used by no itinerary. */
export function ActiveChip({ isActive }: { isActive: boolean }) {
  const { t } = useTranslation('shippingNodes')
  return (
    <Chip
      size="small"
      variant="outlined"
      color={isActive ? 'success' : 'default'}
      label={t(isActive ? 'states.active' : 'states.inactive')}
    />
  )
}
