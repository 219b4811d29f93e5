import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { addDays, addMonthsToDay, today, weekday, weeksOf } from '~/lib/days'

const Day = styled(ButtonBase)(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    width: 36,
    height: 36,
    borderRadius: 6,
    font: 'inherit',
    fontSize: '0.875rem',
    '&:hover': { backgroundColor: palette.action.hover },
    '&[data-outside]': { color: palette.text.secondary },
    '&[aria-current=date]': { fontWeight: 700, boxShadow: `inset 0 0 0 1px ${palette.field.main}` },
    '&[aria-pressed=true]': { backgroundColor: palette.primary.main, color: palette.primary.contrastText },
    '&:disabled': { opacity: 0.38 },
  }
})

interface Props {
  value: string | null
  min: string
  max: string
  onPick: (day: string) => void
}

/** Day to which a key moves the focus; null for other keys. */
function dayForKey({ key, shiftKey }: KeyboardEvent, day: string): string | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return addDays(day, -weekday(day))
    case 'End':
      return addDays(day, 6 - weekday(day))
    case 'PageUp':
      return addMonthsToDay(day, shiftKey ? -12 : -1)
    case 'PageDown':
      return addMonthsToDay(day, shiftKey ? 12 : 1)
    default:
      return null
  }
}

/**
 * Month view. Arrows move by day and week, Page up and down by month, with Shift by year, Home and End
 * within the week.
 */
export default function Calendar({ value, min, max, onPick }: Props) {
  const { t } = useTranslation()
  const { lang } = useFormat()
  const title = useId()
  const clampDay = (day: string) => (day < min ? min : day > max ? max : day)
  const [at, setAt] = useState(() => clampDay(value ?? today()))
  const grid = useRef<HTMLTableElement>(null)
  // keys move the focus to the day; the buttons above keep it
  const moves = useRef(true)
  useEffect(() => {
    if (moves.current) grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus()
  }, [at])

  const text = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(lang, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
  const weeks = weeksOf(at)

  function move(to: string, focuses: boolean) {
    moves.current = focuses
    setAt(clampDay(to))
  }

  function onKeyDown(event: KeyboardEvent) {
    const day = dayForKey(event, at)
    if (!day) return
    event.preventDefault()
    move(day, true)
  }

  const monthButton = (by: 1 | -1) => (
    <IconButton
      size="small"
      aria-label={t(by < 0 ? 'date.previous' : 'date.next')}
      disabled={by < 0 ? at.slice(0, 7) <= min.slice(0, 7) : at.slice(0, 7) >= max.slice(0, 7)}
      onClick={() => move(addMonthsToDay(at, by), false)}
    >
      {by < 0 ? <ChevronLeft size={18} /> : <ChevronRight size={18} />}
    </IconButton>
  )

  return (
    <Box sx={{ p: 1.5 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mb: 1 }}>
        {monthButton(-1)}
        <Typography id={title} variant="body2" aria-live="polite" sx={{ fontWeight: 600 }}>
          {text(at, { month: 'long', year: 'numeric' })}
        </Typography>
        {monthButton(1)}
      </Box>
      <Box
        component="table"
        ref={grid}
        aria-labelledby={title}
        onKeyDown={onKeyDown}
        sx={{ borderCollapse: 'collapse', '& td, & th': { p: 0 } }}
      >
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <Box
                component="th"
                key={day}
                scope="col"
                abbr={text(day, { weekday: 'long' })}
                sx={{ typography: 'caption', color: 'text.secondary' }}
              >
                {text(day, { weekday: 'short' }).slice(0, 2)}
              </Box>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <Day
                    type="button"
                    data-day={day}
                    data-outside={day.slice(0, 7) === at.slice(0, 7) ? undefined : true}
                    aria-label={text(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}
                    aria-pressed={day === value}
                    aria-current={day === today() ? 'date' : undefined}
                    disabled={day < min || day > max}
                    tabIndex={day === at ? 0 : -1}
                    onClick={() => onPick(day)}
                  >
                    {Number(day.slice(8))}
                  </Day>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  )
}
