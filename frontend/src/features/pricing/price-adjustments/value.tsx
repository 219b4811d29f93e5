import Box from '@mui/material/Box'
import type { PriceAdjustment } from '~/api/schema'
import { RecordLink } from '~/features/shared/record-link'
import { useAdjustmentValueText } from './use-value-text'

/** Value such as `−15,00 €/t`, or the table that gives it, and below it what it refers to. */
export function Value({ adjustment }: { adjustment: PriceAdjustment }) {
  const { amount, basis } = useAdjustmentValueText()(adjustment)
  const { surcharge_table: table } = adjustment
  return (
    <>
      <Box component="span" sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {amount}
      </Box>
      {table && (
        <Box component="span" sx={{ '& a': { overflowWrap: 'break-word' } }}>
          {'\u00a0'}
          <RecordLink record="surcharge_table" id={table.id} name={table.name} />
        </Box>
      )}
      <Box component="span" sx={{ display: 'block', typography: 'caption', color: 'text.secondary' }}>
        {basis}
      </Box>
    </>
  )
}
