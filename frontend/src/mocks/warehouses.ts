import { HttpResponse, type RequestHandler } from 'msw'
import type { Closure, ClosureInput, DaysOff, Readiness, ReadinessInput, ReadinessReason } from '~/api/schema'
import { crud } from './crud'
import { http, type Mock, problem } from './server'

const HOUR = 3_600_000
const reason = (code: ReadinessReason['code'], rest: Partial<ReadinessReason>): ReadinessReason => ({
  code,
  cut_off: null,
  weekday: null,
  holiday: null,
  name: null,
  duration: null,
  ...rest,
})

/** Warehouses, with calendars and closures. */
export function warehouses(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  return [
    // every order waits an hour before its preparation begins
    http.post(
      '/api/admin/warehouses/{id}/readiness',
      guarded('warehouse.view', async ({ request, params }) => {
        const row = db.warehouses.find(({ id }) => id === Number(params.id))
        if (!row) return problem(404, 'not_found', 'Nicht gefunden.')
        const { at } = (await request.json()) as ReadinessInput
        const duration = row.preparation_duration_before
        const begins = new Date(Date.parse(at) + HOUR).toISOString()
        const ready_at = new Date(Date.parse(begins) + duration * 60_000).toISOString()
        return HttpResponse.json<Readiness>({
          ready_at,
          steps: [
            { what: 'waiting', from: at, to: begins, because: reason('cut_off', { cut_off: row.preparation_shift_time }) },
            { what: 'preparation', from: begins, to: ready_at, because: reason('preparation_takes', { duration }) },
          ],
        })
      }),
    ),
    http.get(
      '/api/admin/warehouses/{id}/calendar',
      guarded('warehouse.view', ({ params, url }) => {
        const year = url.searchParams.get('year') ?? ''
        return HttpResponse.json<DaysOff>({
          region: 'DE-NW',
          working_week: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
          public_holidays: [{ date: `${year}-12-25`, holiday: 'christmas_day' }],
          closures: db.closures.filter(
            ({ date, warehouse_id }) => date.startsWith(year) && (warehouse_id === null || warehouse_id === Number(params.id)),
          ),
        })
      }),
    ),
    http.post(
      '/api/admin/closures',
      guarded('warehouse.update', async ({ request }) => {
        const { date, name, warehouse_id = null } = (await request.json()) as ClosureInput
        if (db.closures.some((other) => other.date === date && other.warehouse_id === warehouse_id))
          return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { date: ['Bereits vergeben'] })
        const id = Math.max(0, ...db.closures.map((other) => other.id)) + 1
        const now = new Date().toISOString()
        const closure: Closure = { id, tenant_id: 1, date, name, warehouse_id, version: 1, created_at: now, updated_at: now }
        db.closures.push(closure)
        return HttpResponse.json(closure, { status: 201 })
      }),
    ),
    http.delete(
      '/api/admin/closures/{id}',
      guarded('warehouse.update', ({ params }) => {
        db.closures = db.closures.filter(({ id }) => id !== Number(params.id))
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    ...crud(mock, '/api/admin/warehouses', {
      rows: () => db.warehouses,
      right: 'warehouse',
      sort: 'name',
      textFields: ['name', 'short_code', 'address'],
      row: (body) => ({ ...body, tenant: { id: 1, short_code: 'NORD' } }),
    }),
  ]
}
