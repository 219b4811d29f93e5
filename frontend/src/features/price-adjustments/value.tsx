import Box from '@mui/material/Box'
import type { PriceAdjustment } from '~/api/schema'
import { useValueText } from './use-value-text'

/** `−15,00 €/t`, and below it what that refers to. */
export function Value({ of }: { of: PriceAdjustment }) {
  const { amount, of: what } = useValueText()(of)
  return (
    <>
      <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {amount}
      </Box>
      <Box component="span" sx={{ display: 'block', typography: 'caption', color: 'text.secondary' }}>
        {what}
      </Box>
    </>
  )
}
