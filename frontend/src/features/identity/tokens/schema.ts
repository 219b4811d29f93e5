import type { Ability, PersonalAccessToken, TokenRotation } from '~/api/schema'
import { bodySchema, code, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
import { addDays, isDay } from '~/lib/days'
import { dayStartIn } from '~/lib/zone'
import { abilities } from './abilities'
import { dayInDays, inDays, LONGEST, OVERLAPS, PRESETS } from './expiry'

export type TokenBody = BodyOf<'/api/admin/tokens'>
export type RotationBody = Required<Omit<TokenRotation, 'version'>>

/** Presets, or a day to be entered, on which the token is still valid. */
export const LIFETIMES = [...PRESETS, 'day'] as const
export type Lifetime = (typeof LIFETIMES)[number]

interface TokenExpiry {
  lifetime: Lifetime
  expires_at: string
}

function checkExpiry(check: z.core.ParsePayload<TokenExpiry>) {
  const { lifetime, expires_at } = check.value
  const addIssue = (message: string) => check.issues.push({ code: 'custom', input: expires_at, path: ['expires_at'], message })
  if (lifetime !== 'day') return
  if (expires_at === '') addIssue('required')
  else if (!isDay(expires_at)) addIssue('date')
  else if (expires_at < dayInDays(0)) addIssue('tokens:rules.past')
  else if (expires_at > dayInDays(LONGEST)) addIssue(code('tokens:rules.tooLate', { days: LONGEST }))
}

/** Time at which the token expires: the end of its last day in the time zone of the installation. */
const endOf = ({ lifetime, expires_at }: TokenExpiry, zone: string) =>
  lifetime === 'day' ? new Date(dayStartIn(zone, addDays(expires_at, 1))).toISOString() : inDays(Number(lifetime))

const fields = bodySchema<TokenBody>()({
  name: text(),
  abilities: z.array(z.enum(abilities as unknown as [Ability])).check(z.minLength(1, 'required')),
  expires_at: z.string(),
})

export const tokenSchema = (zone: string) =>
  z.pipe(
    z.extend(fields, { lifetime: z.enum(LIFETIMES) }).check(checkExpiry),
    z.transform(({ lifetime, ...body }): TokenBody => ({ ...body, expires_at: endOf({ ...body, lifetime }, zone) })),
  )

export const toForm = (row: PersonalAccessToken | null) => ({
  name: row?.name ?? '',
  abilities: row?.abilities ?? [],
  lifetime: '90' as Lifetime,
  expires_at: '',
})

export type TokenForm = ReturnType<typeof toForm>

export const rotationSchema = (zone: string) =>
  z.pipe(
    z.object({ overlap_hours: z.enum(OVERLAPS), lifetime: z.enum(LIFETIMES), expires_at: z.string() }).check(checkExpiry),
    z.transform(({ overlap_hours, ...end }): RotationBody => ({ overlap_hours: Number(overlap_hours), expires_at: endOf(end, zone) })),
  )

export const rotationForm = {
  overlap_hours: '24' as (typeof OVERLAPS)[number],
  lifetime: '90' as Lifetime,
  expires_at: '',
}

export type RotationForm = typeof rotationForm
