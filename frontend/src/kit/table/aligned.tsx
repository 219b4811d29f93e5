import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useFormat } from '~/i18n/use-format'

/** True if lists are shown as cards instead of tables. */
export const useCards = () => useMediaQuery(useTheme().breakpoints.down('md'), { noSsr: true })

/**
 * Decimal aligned with the others of its column at the decimal point; on a card it has its natural width.
 */
export function Aligned({ value, fraction }: { value: string | number; fraction: number }) {
  const format = useFormat()
  return useCards() ? format.decimal(value, fraction) : format.aligned(value, fraction)
}
