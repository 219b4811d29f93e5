import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { DayCell } from './cell'
import type { Mark } from './mark'

interface Props {
  day: string
  mark: Mark | undefined
  /** Full date and the reason for a day off. */
  label: string
  today: boolean
  tabIndex: number
  onPick: (() => void) | undefined
}

/** Day of a calendar. */
export function Day({ day, mark, label, today, tabIndex, onPick }: Props) {
  const commonProps = {
    'data-day': day,
    'data-tone': mark?.tone,
    title: label,
    'aria-current': today ? ('date' as const) : undefined,
  }
  const number = Number(day.slice(8))
  if (onPick) {
    return (
      <DayCell as="button" type="button" {...commonProps} aria-label={label} tabIndex={tabIndex} onClick={onPick}>
        {number}
      </DayCell>
    )
  }
  return (
    <DayCell {...commonProps}>
      {number}
      {mark && <span style={visuallyHidden}>, {mark.text}</span>}
    </DayCell>
  )
}
