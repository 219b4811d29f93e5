import type { Ability, PersonalAccessToken } from '~/api/schema'
import { bodySchema, code, text, z } from '~/kit/form/schema'
import { dayEnd } from '~/lib/dates'
import { abilities } from './abilities'
import type { TokenBody } from './api'
import { dayInDays, inDays, LONGEST, PRESETS } from './expiry'

const fields = bodySchema<TokenBody>()({
  name: text(),
  abilities: z.array(z.enum(abilities as unknown as [Ability])).check(z.minLength(1, 'required')),
  expires_at: z.string(),
})

/** A preset, or a day that is then entered and counts as a whole. */
export const LIFETIMES = [...PRESETS, 'day'] as const
type Lifetime = (typeof LIFETIMES)[number]

export const tokenSchema = z.pipe(
  z.extend(fields, { lifetime: z.enum(LIFETIMES) }).check((check) => {
    const { lifetime, expires_at } = check.value
    const refuse = (message: string) => check.issues.push({ code: 'custom', input: expires_at, path: ['expires_at'], message })
    if (lifetime !== 'day') return
    if (expires_at === '') refuse('required')
    else if (expires_at < dayInDays(0)) refuse('tokens:rules.past')
    else if (expires_at > dayInDays(LONGEST)) refuse(code('tokens:rules.tooLate', { days: LONGEST }))
  }),
  z.transform(
    ({ lifetime, ...body }): TokenBody => ({
      ...body,
      expires_at: lifetime === 'day' ? dayEnd(body.expires_at) : inDays(Number(lifetime)),
    }),
  ),
)

export const toForm = (row: PersonalAccessToken | null) => ({
  name: row?.name ?? '',
  abilities: row?.abilities ?? [],
  lifetime: '90' as Lifetime,
  expires_at: '',
})

export type TokenForm = ReturnType<typeof toForm>
