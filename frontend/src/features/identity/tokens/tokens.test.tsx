import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { permissionValues } from '~/api/schema'
import { addDays } from '~/lib/days'
import { dayIn, dayStartIn } from '~/lib/zone'
import { renderApp } from '~/test/render'
import { readRules } from '~/test/rules'
import { db } from '~/test/server'
import { abilities, REQUIRED_PERMISSIONS, sampleCall } from './abilities'
import { dayInDays, expiryOf, inDays, worksUntil } from './expiry'
import { rotationForm, rotationSchema, toForm, tokenSchema } from './schema'

it('requires the same permissions for an ability as the server', () => {
  const { abilities: lines } = readRules<{ abilities: { ability: string; needs: string[] }[] }>('ability.json')
  expect(Object.fromEntries(lines.map(({ ability, needs }) => [ability, needs]))).toEqual(REQUIRED_PERMISSIONS)
  expect(lines.map(({ ability }) => ability)).toEqual(abilities)
})

describe('the expiry of a token', () => {
  // a Friday, 13:00 in Berlin; on Sunday the clocks change
  const now = Date.parse('2026-03-27T12:00:00Z')
  it.each([
    ['2026-03-26T12:00:00Z', { state: 'expired' }],
    ['2026-03-27T12:00:00Z', { state: 'expired' }],
    ['2026-03-27T22:00:00Z', { state: 'soon', days: 0 }],
    // midnight: Friday is the last day
    ['2026-03-27T23:00:00Z', { state: 'soon', days: 0 }],
    ['2026-03-28T08:00:00Z', { state: 'soon', days: 1 }],
    ['2026-03-29T21:00:00Z', { state: 'soon', days: 2 }],
    ['2026-04-10T11:00:00Z', { state: 'soon', days: 14 }],
    ['2026-04-10T12:00:00Z', { state: 'later' }],
  ])('at %s is counted in days of the calendar', (expiresAt, expected) => {
    expect(expiryOf(expiresAt, 'Europe/Berlin', now)).toEqual(expected)
  })

  it('is a calendar day, even across a clock change', () => {
    expect(dayInDays(3, new Date(2026, 2, 27, 23, 30))).toBe('2026-03-30')
    expect(dayInDays(0, new Date(2026, 0, 5))).toBe('2026-01-05')
  })

  it.each([
    [null, ['required']],
    [-1, ['tokens:rules.past']],
    [0, []],
    [365, []],
    [366, ['tokens:rules.tooLate?days=365']],
  ])('chosen as %s days from now', (days, messages) => {
    const expires_at = days === null ? '' : dayInDays(days)
    const form = { ...toForm(null), name: 'ERP', abilities: ['access-shop'], lifetime: 'day', expires_at }
    expect(
      tokenSchema('Europe/Berlin')
        .safeParse(form)
        .error?.issues.map(({ message }) => message) ?? [],
    ).toEqual(messages)
  })
})

describe('the overlap', () => {
  const now = new Date('2026-03-27T12:00:00Z').getTime()
  it.each([
    ['2026-06-01T00:00:00Z', 24, '2026-03-28T12:00:00.000Z'],
    ['2026-06-01T00:00:00Z', 168, '2026-04-03T12:00:00.000Z'],
    ['2026-03-27T15:00:00Z', 24, '2026-03-27T15:00:00.000Z'],
    ['2026-06-01T00:00:00Z', 0, null],
    ['2026-03-01T00:00:00Z', 24, null],
  ])('lasts for a token until %s, with %s hours', (expiresAt, hours, until) => {
    expect(worksUntil(expiresAt, hours, now)).toBe(until)
  })

  it.each([
    [{ lifetime: 'day', expires_at: '' }, ['required']],
    [{ lifetime: 'day', expires_at: dayInDays(366) }, ['tokens:rules.tooLate?days=365']],
    [{ lifetime: 'day', expires_at: dayInDays(365) }, []],
    [{}, []],
  ])('validates the new expiry as at creation: %o', (entered, messages) => {
    const issues = rotationSchema('Europe/Berlin').safeParse({ ...rotationForm, ...entered }).error?.issues ?? []
    expect(issues.map(({ message }) => message)).toEqual(messages)
  })
})

describe('an expiry by day', () => {
  afterEach(() => void vi.useRealTimers())
  const zone = 'Europe/Berlin'
  it.each([
    ['2026-03-28', '2026-03-28T23:00:00.000Z'],
    ['2026-03-29', '2026-03-29T22:00:00.000Z'],
  ])('%s counts as a whole day', (day, end) => {
    vi.useFakeTimers({ now: new Date('2026-03-20T12:00:00Z'), toFake: ['Date'] })
    const form = { ...toForm(null), name: 'ERP', abilities: ['access-shop'], lifetime: 'day', expires_at: day }
    expect(tokenSchema(zone).parse(form).expires_at).toBe(end)
  })

  it('is shown as its last day', async () => {
    Object.assign(db.tokens[0] ?? {}, { expires_at: '2027-03-28T22:00:00Z' })
    renderApp('/tokens')
    expect(await screen.findByText('28.03.2027')).toBeInTheDocument()
  })
})

it('shows a call that matches the abilities of the token', () => {
  expect(sampleCall('http://x', 'pat_1', ['import-stocks'])).toContain('-F type=Stock -F file=@bestand.csv http://x/api/admin/imports')
  expect(sampleCall('http://x', 'pat_1', ['import-prices', 'access-admin'])).toContain('/api/admin/articles')
  expect(sampleCall('http://x', 'pat_1', ['listings:read'])).toBe("curl -H 'Authorization: Bearer pat_1' http://x/api/users/me")
})

it('creates a token, shows it once and copies it', async () => {
  const { user, path } = renderApp('/tokens/new')
  const write = vi.spyOn(navigator.clipboard, 'writeText')
  const form = await screen.findByRole('dialog', { name: 'Neues Zugriffstoken' })
  await user.click(within(form).getByRole('button', { name: 'Speichern' }))
  expect(await within(form).findAllByText('Pflichtfeld')).toHaveLength(2)
  await user.type(within(form).getByLabelText('Name *'), 'Preisupload')
  await user.click(within(form).getByRole('checkbox', { name: 'Preise importieren' }))
  await user.selectOptions(within(form).getByLabelText('Gültig *'), '30 Tage')
  await user.click(within(form).getByRole('button', { name: 'Speichern' }))
  const secretDialog = await screen.findByRole('dialog', { name: 'Zugriffstoken „Preisupload“' })
  const plainText = (within(secretDialog).getByLabelText('Token') as HTMLInputElement).value
  expect(plainText).toMatch(/^pat_/)
  await user.click(within(secretDialog).getByRole('button', { name: 'Token kopieren' }))
  expect(write).toHaveBeenCalledWith(plainText)
  await user.click(within(secretDialog).getByRole('button', { name: 'Schließen' }))
  await waitFor(() => expect(screen.queryByDisplayValue(plainText)).not.toBeInTheDocument())
  expect(path()).toBe('/tokens')
  const token = db.tokens.at(-1)
  expect(token?.abilities).toEqual(['import-prices'])
  expect(new Date(token?.expires_at ?? '').getTime() / 1000).toBeCloseTo(Date.now() / 1000 + 30 * 86_400, -2)
})

it('explains why an ability cannot be granted', async () => {
  const admin = db.users.find(({ id }) => id === 1)
  if (admin) admin.permissions = permissionValues.filter((name) => name !== 'listing.update').map((name) => ({ name }))
  renderApp('/tokens/new')
  const box = await screen.findByRole('checkbox', { name: 'Preise importieren' })
  expect(box).toBeDisabled()
  expect(box).toHaveAccessibleDescription(/Dafür fehlen Ihnen diese Rechte: Preise: Ändern\.$/)
  expect(screen.getByRole('checkbox', { name: 'Preise lesen' })).toBeEnabled()
})

it('warns of tokens that expire soon, and also revokes those of other users', async () => {
  const zone = 'Europe/Berlin'
  const midnight = new Date(dayStartIn(zone, addDays(dayIn(zone, Date.now()), 6))).toISOString()
  Object.assign(db.tokens[0] ?? {}, { expires_at: midnight, last_used_at: inDays(-1), last_used_address: '203.0.113.7' })
  Object.assign(db.tokens[1] ?? {}, { expires_at: inDays(-1) })
  const { user } = renderApp('/tokens')
  const own = await screen.findByRole('row', { name: /Warenwirtschaft/ })
  expect(own).toHaveTextContent('läuft in 5 Tagen ab')
  expect(own).toHaveTextContent('203.0.113.7')
  const foreign = screen.getByRole('row', { name: /Auswertung/ })
  expect(foreign).toHaveTextContent('abgelaufen')
  expect(foreign).toHaveTextContent('nie')
  await user.click(screen.getByRole('button', { name: 'Aktionen für Auswertung' }))
  expect(screen.queryByRole('menuitem', { name: 'Bearbeiten' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('menuitem', { name: 'Widerrufen' }))
  await user.click(await screen.findByRole('button', { name: 'Widerrufen' }))
  expect(await screen.findByText('„Auswertung“ ist widerrufen')).toBeInTheDocument()
  expect(db.tokens.map(({ name }) => name)).toEqual(['Warenwirtschaft'])
})

it('rotates a token, shows the new one once and marks the old one', async () => {
  const { user } = renderApp('/tokens')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für Warenwirtschaft' }))
  await user.click(screen.getByRole('menuitem', { name: 'Erneuern' }))
  const dialog = await screen.findByRole('dialog', { name: '„Warenwirtschaft“ erneuern' })
  expect(within(dialog).getByLabelText('Bisheriges Token weiter gültig *')).toHaveValue('24')
  expect(within(dialog).getByRole('status')).toHaveTextContent('Mit „Widerrufen“ können Sie das bisherige früher beenden.')
  await user.selectOptions(within(dialog).getByLabelText('Bisheriges Token weiter gültig *'), 'Nein, sofort ungültig')
  expect(within(dialog).getByRole('status')).toHaveTextContent('werden ab sofort abgewiesen')
  await user.selectOptions(within(dialog).getByLabelText('Bisheriges Token weiter gültig *'), '7 Tage')
  await user.selectOptions(within(dialog).getByLabelText('Gültig *'), '30 Tage')
  await user.click(within(dialog).getByRole('button', { name: 'Erneuern' }))
  const secretDialog = await screen.findByRole('dialog', { name: 'Zugriffstoken „Warenwirtschaft“' })
  expect(within(secretDialog).getByLabelText('Token')).toHaveDisplayValue(/^pat_Ab3xy/)
  await user.click(within(secretDialog).getByRole('button', { name: 'Schließen' }))
  expect(await screen.findByRole('button', { name: 'Aktionen für Warenwirtschaft (ersetzt)' })).toBeInTheDocument()
  expect(screen.getAllByRole('row', { name: /Warenwirtschaft/ })[0]).toHaveTextContent('ersetzt')
  const [old, , successor] = db.tokens
  const days = (iso?: string) => (new Date(iso ?? '').getTime() - Date.now()) / 86_400_000
  expect(days(old?.expires_at)).toBeCloseTo(7, 2)
  expect(days(successor?.expires_at)).toBeCloseTo(30, 2)
  // a token can be replaced only once
  await user.click(screen.getByRole('button', { name: 'Aktionen für Warenwirtschaft (ersetzt)' }))
  expect(screen.queryByRole('menuitem', { name: 'Erneuern' })).not.toBeInTheDocument()
  expect(screen.getByRole('menuitem', { name: 'Widerrufen' })).toBeInTheDocument()
})

it('offers to rotate only the user’s own tokens, and shows the server’s refusal', async () => {
  const { user } = renderApp('/tokens')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für Auswertung' }))
  expect(screen.queryByRole('menuitem', { name: 'Erneuern' })).not.toBeInTheDocument()
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Aktionen für Warenwirtschaft' }))
  await user.click(screen.getByRole('menuitem', { name: 'Erneuern' }))
  const dialog = await screen.findByRole('dialog', { name: '„Warenwirtschaft“ erneuern' })
  const own = db.tokens[0]
  if (own) own.version = 9
  await user.click(within(dialog).getByRole('button', { name: 'Erneuern' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Der Eintrag wurde inzwischen geändert.')
})
