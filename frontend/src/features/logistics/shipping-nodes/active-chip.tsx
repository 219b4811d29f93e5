import Chip from '@mui/material/Chip'
import { useTranslation } from 'react-i18next'

/** State of a node: goods travel neither to nor from one that is not active. */
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
