import Box from '@mui/material/Box'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useFormat } from '~/i18n/use-format'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { monthNames, weekdayNames } from '~/lib/dates'
import { addDays, addMonthsToDay, monthsOf, today, weekday } from '~/lib/days'
import { Day } from './day'
import type { Mark } from './mark'

interface Props {
  year: number
  marks: ReadonlyMap<string, Mark>
  /** Text for a day without a mark. */
  defaultText: string
  /** Called when a day is selected; undefined if the calendar is read-only. */
  onPick?: ((day: string) => void) | undefined
}

/**
 * Calendar of a year as twelve tables. Only one day is in the tab order; arrow keys move the focus by days
 * and weeks, page keys by months.
 */
export function YearCalendar({ year, marks, defaultText, onPick }: Props) {
  const { lang } = useFormat()
  const box = useRef<HTMLDivElement>(null)
  const now = today()
  const [last, setLast] = useState(now)
  const current = last.startsWith(`${year}-`) ? last : `${year}-01-01`

  function onKeyDown(event: KeyboardEvent) {
    const to = STEPS[event.key]?.(current)
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (!to.startsWith(`${year}-`)) return
    setLast(to)
    box.current?.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus()
  }

  const short = weekdayNames(lang, 'short')
  const long = weekdayNames(lang, 'long')
  // includes the number as shown in the cell
  const fullDate = new Intl.DateTimeFormat(lang, { dateStyle: 'full', timeZone: 'UTC' })
  const months = monthNames(lang)
  return (
    <Box
      ref={box}
      onKeyDown={onPick && onKeyDown}
      sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: 'repeat(auto-fill, minmax(190px, 1fr))' }}
    >
      {monthsOf(year).map(({ month, weeks }) => (
        <Box
          key={month}
          component="table"
          role={onPick ? 'grid' : undefined}
          sx={{ borderCollapse: 'separate', borderSpacing: 2, width: '100%', tableLayout: 'fixed', alignSelf: 'start' }}
        >
          <Box component="caption" sx={{ textAlign: 'start', typography: 'subtitle2', pb: 0.5, px: 0.5 }}>
            {months[month]} <span style={visuallyHidden}>{year}</span>
          </Box>
          <thead>
            <tr>
              {short.map((name, weekday) => (
                <Box
                  key={name}
                  component="th"
                  scope="col"
                  abbr={long[weekday]}
                  sx={{ typography: 'caption', color: 'text.secondary', p: 0 }}
                >
                  {name}
                </Box>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week.find((day) => day !== null)}>
                {week.map((day, weekday) =>
                  day === null ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a weekday
                    <td key={weekday} />
                  ) : (
                    <Box key={day} component="td" sx={{ p: 0 }}>
                      <Day
                        day={day}
                        mark={marks.get(day)}
                        label={`${fullDate.format(new Date(`${day}T00:00:00Z`))}, ${marks.get(day)?.text ?? defaultText}`}
                        today={day === now}
                        tabIndex={day === current ? 0 : -1}
                        onPick={
                          onPick &&
                          (() => {
                            setLast(day)
                            onPick(day)
                          })
                        }
                      />
                    </Box>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </Box>
      ))}
    </Box>
  )
}

const STEPS: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -weekday(day)),
  End: (day) => addDays(day, 6 - weekday(day)),
  PageUp: (day) => addMonthsToDay(day, -1),
  PageDown: (day) => addMonthsToDay(day, 1),
}
