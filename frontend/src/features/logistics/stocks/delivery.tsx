import Box from '@mui/material/Box'
import type { Stock } from '~/api/schema'
import DestinationField from '~/features/shared/destination/destination-field'
import StockDate from './stock-date'

/** The destination of a stock, and when it arrives there. */
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
