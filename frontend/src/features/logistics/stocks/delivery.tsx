import Box from '@mui/material/Box'
import type { Stock } from '~/api/schema'
import DestinationField from '~/features/shared/destination/destination-field'
import StockDate from './stock-date'

/** Destination of a stock and its delivery date there. */
export default function StockDelivery({ row }: { row: Stock }) {
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <DestinationField />
      <Box role="status">
        <StockDate row={row} isExact />
      </Box>
    </Box>
  )
}
