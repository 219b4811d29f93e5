import { HttpResponse, type RequestHandler } from 'msw'
import {
  type FtpSchedule,
  type FtpSettings,
  type FtpSettingsInput,
  type FtpTest,
  type FtpTestInput,
  ftpTransformerValues,
} from '~/api/schema'
import { http, type Mock, problem } from './server'

const LIST = '/api/admin/ftp-settings'
const RIGHT = 'configure-ftp-import'

const schedule = (input: FtpSchedule | null | undefined): FtpSchedule | null =>
  input
    ? { ...input, day: input.day ?? null, day_2: input.day_2 ?? null, time_2: input.time_2 ?? null, paused: input.paused ?? false }
    : null

/** Applies an input to the former settings. */
function saved(body: FtpSettingsInput, before: FtpSettings | undefined): FtpSettings {
  const port = body.port ?? (body.protocol === 'sftp' ? 22 : 21)
  const stays = before?.host === body.host && before.port === port && before.protocol === body.protocol && before.username === body.username
  const isSet = (secret: string | null | undefined, was: boolean | undefined) =>
    Boolean(secret) || (stays && secret == null && was === true)
  const profile = (id: number | null | undefined) => (id ? { id, name: `Profil ${id}` } : null)
  return {
    id: before?.id ?? 1,
    version: (before?.version ?? 0) + 1,
    created_at: '2026-11-28T08:00:00Z',
    updated_at: '2026-11-28T08:00:00Z',
    tenant: { id: 1, short_code: 'NORD' },
    protocol: body.protocol,
    host: body.host,
    port,
    username: body.username,
    password_set: isSet(body.password, before?.password_set),
    private_key_set: isSet(body.private_key, before?.private_key_set),
    private_key_passphrase_set: isSet(body.private_key_passphrase, !body.private_key && before?.private_key_passphrase_set),
    host_key: stays ? before.host_key : null,
    ca_certificate: body.ca_certificate ?? null,
    base_path: body.base_path ?? null,
    price_file: body.price_file,
    price_profile: profile(body.price_profile_id),
    stock_file: body.stock_file,
    stock_profile: profile(body.stock_profile_id),
    schedules: { price: schedule(body.schedules.price), stock: schedule(body.schedules.stock) },
    after_reading: body.after_reading,
    processed_folder: body.processed_folder ?? null,
  }
}

/** FTP settings; nothing is fetched. */
export function ftpSettings({ db, guarded }: Mock): RequestHandler[] {
  const findSettings = (id: string | undefined) => db.ftpSettings.find((row) => row.id === Number(id))
  const store = (row: FtpSettings) => {
    db.ftpSettings.splice(0, 1, row)
    return HttpResponse.json<FtpSettings>(row)
  }
  const missing = () => problem(404, 'not_found', 'Nicht gefunden.')
  const paused = (value: boolean) =>
    guarded<FtpSettings>(RIGHT, async ({ request, params }) => {
      const row = findSettings(params.id)
      const { file } = (await request.json()) as { file: 'price' | 'stock' }
      const now = row?.schedules[file]
      if (!row || !now) return missing()
      return store({ ...row, version: row.version + 1, schedules: { ...row.schedules, [file]: { ...now, paused: value } } })
    })
  return [
    http.get(
      LIST,
      guarded(RIGHT, () =>
        HttpResponse.json({
          data: db.ftpSettings,
          meta: { current_page: 1, last_page: 1, per_page: 40, total: db.ftpSettings.length },
        } as never),
      ),
    ),
    http.get(
      `${LIST}/options`,
      guarded(RIGHT, () => HttpResponse.json({ ...db.ftpOptions, transformers: ftpTransformerValues } as never)),
    ),
    http.post(
      `${LIST}/next-runs`,
      guarded(RIGHT, async ({ request }) => {
        const { schedule } = (await request.json()) as { schedule: FtpSchedule }
        const short = schedule.type === 'monthly' && schedule.day === 31
        const run = (at: string, day: number | null) => ({
          at,
          shown: at.slice(0, 19),
          reasons: day ? [{ code: 'last_day_of_month' as const, day, time: null }] : [],
        })
        return HttpResponse.json({ runs: [run('2026-12-31T05:00:00Z', null), run('2027-02-28T05:00:00Z', short ? 31 : null)] })
      }),
    ),
    http.post(
      `${LIST}/test`,
      guarded(RIGHT, async ({ request }) => {
        db.ftpTested = (await request.json()) as FtpTestInput
        return HttpResponse.json(db.ftpTest as FtpTest)
      }),
    ),
    http.patch(
      `${LIST}/{id}`,
      guarded(RIGHT, async ({ request, params }) => {
        const row = findSettings(params.id)
        const body = (await request.json()) as Partial<FtpSettingsInput>
        if (!row) return missing()
        return store({
          ...row,
          version: row.version + 1,
          password_set: row.password_set && body.password !== '',
          private_key_set: row.private_key_set && body.private_key !== '',
          private_key_passphrase_set: row.private_key_passphrase_set && body.private_key !== '' && body.private_key_passphrase !== '',
        })
      }),
    ),
    http.post(
      LIST,
      guarded(RIGHT, async ({ request }) => {
        const body = (await request.json()) as FtpSettingsInput
        db.ftpSettings.push(saved(body, undefined))
        return HttpResponse.json(db.ftpSettings[0] as FtpSettings, { status: 201 })
      }),
    ),
    http.get(
      `${LIST}/{id}`,
      guarded(RIGHT, ({ params }) => {
        const row = findSettings(params.id)
        return row ? HttpResponse.json(row) : missing()
      }),
    ),
    http.put(
      `${LIST}/{id}`,
      guarded(RIGHT, async ({ request, params }) => {
        const row = findSettings(params.id)
        return row ? store(saved((await request.json()) as FtpSettingsInput, row)) : missing()
      }),
    ),
    http.delete(
      `${LIST}/{id}`,
      guarded(RIGHT, () => {
        db.ftpSettings.length = 0
        return new HttpResponse(null, { status: 204 }) as never
      }),
    ),
    http.post(`${LIST}/{id}/pause`, paused(true)),
    http.post(`${LIST}/{id}/resume`, paused(false)),
    http.post(
      `${LIST}/{id}/trust-host-key`,
      guarded(RIGHT, async ({ request, params }) => {
        const row = findSettings(params.id)
        const { host_key } = (await request.json()) as { host_key: string }
        return row ? store({ ...row, version: row.version + 1, host_key }) : missing()
      }),
    ),
  ]
}
