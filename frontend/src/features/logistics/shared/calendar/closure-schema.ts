import { choice, text, z } from '~/kit/form/schema'
import { isDay } from '~/lib/days'

/** Places that a closure is for: the one whose calendar is open, or all of its kind. */
export const SCOPES = ['one', 'all'] as const

const day = z.string().check(
  z.minLength(1, 'required'),
  z.refine((value) => value === '' || isDay(value), 'date'),
)

export const closureSchema = z.object({ date: day, name: text(), scope: choice(SCOPES) })

export type ClosureBody = z.output<typeof closureSchema>
export type ClosureForm = z.input<typeof closureSchema>
