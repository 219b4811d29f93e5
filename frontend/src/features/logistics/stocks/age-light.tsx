import Box from '@mui/material/Box'
import { CircleCheck, Clock, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { useNow } from '~/lib/use-now'
import { type Age, ageOf } from './age'

/** Colour and icon of each age, so that colour is never the only distinction. */
const LOOK: Record<Age, { color: string; icon: LucideIcon }> = {
  fresh: { color: 'success.main', icon: CircleCheck },
  ageing: { color: 'warning.main', icon: Clock },
  old: { color: 'error.main', icon: TriangleAlert },
}

/** Age of a quantity or a price, "Aktuell · vor 3 Tagen"; on screen an icon stands for the word. */
export function AgeLight({ since }: { since: string }) {
  const { t } = useTranslation('stocks')
  const { ago, dateTime } = useFormat()
  const age = ageOf(since, useNow())
  const { color, icon: Icon } = LOOK[age]
  return (
    <Box
      component="time"
      dateTime={since}
      title={`${t(`age.${age}`)} · ${dateTime(since)}`}
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, verticalAlign: 'middle', whiteSpace: 'nowrap' }}
    >
      <Box component={Icon} size={16} aria-hidden sx={{ color, flexShrink: 0 }} />
      <span>
        <span style={visuallyHidden}>
          {t(`age.${age}`)}
          {' · '}
        </span>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {ago(since)}
        </Box>
      </span>
    </Box>
  )
}
