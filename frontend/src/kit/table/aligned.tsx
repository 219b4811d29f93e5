import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useFormat } from '~/i18n/use-format'

/** Whether lists are cards instead of tables. */
export const useCards = () => useMediaQuery(useTheme().breakpoints.down('md'), { noSsr: true })

/** A decimal whose point stands below the others of its column; on a card it is as wide as it is. */
export function Aligned({ value, fraction }: { value: string | number; fraction: number }) {
  const format = useFormat()
  return useCards() ? format.decimal(value, fraction) : format.aligned(value, fraction)
}
