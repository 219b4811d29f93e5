import Box from '@mui/material/Box'
import { DayCell } from './cell'
import type { Mark } from './mark'

/** Legend of a calendar's marks. */
export function CalendarLegend({ entries }: { entries: readonly Mark[] }) {
  return (
    <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, m: 0, mb: 2, p: 0, listStyle: 'none', typography: 'body2' }}>
      {entries.map(({ tone, text }) => (
        <Box component="li" key={tone} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <DayCell data-tone={tone} aria-hidden style={{ width: 22, height: 22 }} />
          {text}
        </Box>
      ))}
    </Box>
  )
}
