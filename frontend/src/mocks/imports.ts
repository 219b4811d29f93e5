import { HttpResponse, type RequestHandler } from 'msw'
import type { Import, ImportColumn, ImportField, ImportInspection } from '~/api/schema'
import { crud } from './crud'
import { page } from './list'
import { file, http, type Mock, problem } from './server'

const FIELDS: ImportField[] = [
  { key: 'article_number', label: 'Artikelnummer', help: null, synonyms: ['Art.-Nr.'], unit: null },
  { key: 'warehouse', label: 'Lager', help: 'Kürzel des Lagers', synonyms: [], unit: null },
  { key: 'quantity', label: 'Menge', help: null, synonyms: ['Bestand'], unit: 'quantity' },
]
const REQUIRED = [['article_number']]

/** Recognises columns by their names only. */
function inspectionOf(type: ImportInspection['type'], lines: string[]): ImportInspection {
  const [header = '', ...rows] = lines
  const columns = header.split(';').map((name, at): ImportColumn => {
    const field = FIELDS.find(({ label, synonyms }) => [label, ...synonyms].includes(name))
    return {
      name,
      field: field?.key ?? null,
      recognised: field?.key ?? null,
      recognised_by: field ? name : null,
      unread: name === 'Fehler',
      heading_unit: null,
      chosen_unit: null,
      measure: null,
      suggestion: null,
      samples: rows.map((row) => row.split(';')[at] ?? ''),
    }
  })
  return {
    type,
    format: 'csv',
    encoding: 'UTF-8',
    delimiter: ';',
    decimal_sign: ',',
    header_line: 1,
    rows: rows.length,
    hidden_rows: 0,
    notes: [],
    columns,
    sheets: [],
    sheet: null,
    sum_rows: 0,
    footnotes: [],
    can_sum_rows: false,
    sample_lines: rows.map((_, at) => at + 2),
    fields: FIELDS,
    required: REQUIRED,
    together: [],
    problems: [],
    profile: null,
    remembered: null,
    better_type: null,
  }
}

/** Imports; nothing is processed. */
export function imports(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  return [
    ...crud(mock, '/api/admin/import-profiles', {
      rows: () => db.importProfiles,
      right: 'import',
      sort: 'name',
      textFields: ['name'],
      row: ({ name, type, settings, mapping }) => ({ name, type, settings, mapping, tenant: { id: 1, short_code: 'NORD' } }),
    }),
    http.get(
      '/api/admin/imports',
      guarded('import.list', ({ url }) => page(db.imports, url, '-updated_at', ['name', 'upload_file', 'type'])),
    ),
    http.post(
      '/api/admin/imports',
      guarded('import.create', async ({ request, url }) => {
        const tenant = db.tenants.find(({ id }) => id === Number(url.searchParams.get('tenant_id')))
        if (!tenant) return problem(422, 'tenant_required', 'Bitte wählen Sie einen Mandanten.')
        const form = await request.formData()
        const file = form.get('file') as File
        const list = form.get('price_list_id')
        const now = new Date().toISOString()
        const row: Import = {
          ...(db.imports[5] as Import),
          id: db.imports.length + 1,
          name: form.get('name') as string | null,
          type: form.get('type') as Import['type'],
          dry_run: form.get('dry_run') === 'true',
          skip_hidden_rows: form.get('skip_hidden_rows') === 'true',
          strategy: form.get('strategy') as Import['strategy'],
          price_list: list === null ? null : { id: Number(list), name: 'Verkauf 2026' },
          upload_file: file.name,
          tenant: { id: tenant.id, company: tenant.company },
          created_at: now,
          updated_at: now,
        }
        db.imports.push(row)
        return HttpResponse.json(row, { status: 201 })
      }),
    ),
    http.post(
      '/api/admin/imports/inspect',
      guarded('import.create', async ({ request }) => {
        const form = await request.formData()
        return HttpResponse.json(inspectionOf(form.get('type') as ImportInspection['type'], db.inspectedLines))
      }),
    ),
    http.get(
      '/api/admin/imports/columns',
      guarded('import.create', ({ url }) => {
        const type = url.searchParams.get('type') as ImportInspection['type']
        return HttpResponse.json({ type, fields: FIELDS, required: REQUIRED, together: [] })
      }),
    ),
    http.get(
      '/api/admin/imports/template',
      guarded('import.create', () => file('Vorlage.csv', 'Artikelnummer\r\n')),
    ),
    http.delete(
      '/api/admin/imports/{id}/mapping',
      guarded('import.create', () => new HttpResponse(null, { status: 204 })),
    ),
    http.get(
      '/api/admin/imports/{id}/error-groups',
      guarded('import.view', () =>
        HttpResponse.json({
          data: [
            { column: 'Werkstoff', code: 'unknown_material', rows: 23, first: [{ line: 2, message: 'Der Werkstoff „S0“ ist unbekannt' }] },
          ],
        }),
      ),
    ),
    http.get(
      '/api/admin/imports/{id}',
      guarded('import.view', ({ params }) => {
        const row = db.imports.find(({ id }) => id === Number(params.id))
        return row ? HttpResponse.json(row) : problem(404, 'not_found', 'Der Eintrag wurde nicht gefunden.')
      }),
    ),
    http.post(
      '/api/admin/imports/{id}/apply',
      guarded('import.create', ({ params, url }) => {
        const dryRun = db.imports.find(({ id }) => id === Number(params.id))
        if (!dryRun?.dry_run) return problem(409, 'no_dry_run', 'Das war kein Probelauf.')
        if (Number(url.searchParams.get('tenant_id')) !== dryRun.tenant.id) return problem(422, 'tenant_required', 'Mandant fehlt.')
        const row: Import = { ...(db.imports[5] as Import), ...dryRun, id: db.imports.length + 1, dry_run: false, status: 'Queued' }
        db.imports.push(row)
        return HttpResponse.json(row, { status: 201 })
      }),
    ),
    http.post(
      '/api/admin/imports/{id}/undo',
      guarded('import.create', async ({ params, request }) => {
        const undone = db.imports.find(({ id }) => id === Number(params.id))
        if (!undone?.undoable) return problem(409, 'import_not_undoable', 'Das lässt sich nicht rückgängig machen.')
        const { dry_run = false } = (await request.json()) as { dry_run?: boolean }
        const counts = { rows_created: 0, rows_updated: 100, rows_removed: 297, rows_unchanged: 0, rows_kept: 2, rows_refused: 1 }
        const row: Import = {
          ...undone,
          ...counts,
          id: db.imports.length + 1,
          dry_run,
          undoes: undone.id,
          undoable: !dry_run,
          files_kept: false,
          error_file: null,
          identical_to: null,
          status: 'PartialSuccess',
          status_message: null,
        }
        db.imports.push(row)
        if (!dry_run) Object.assign(undone, { undone_by: row.id, undoable: false })
        return HttpResponse.json(row, { status: 201 })
      }),
    ),
    http.delete(
      '/api/admin/imports/{id}',
      guarded('import.delete', ({ params }) => {
        const row = db.imports.find(({ id }) => id === Number(params.id))
        if (row?.status !== 'Queued') return problem(409, 'not_queued', 'Der Import hat schon begonnen.')
        row.status = 'Cancelled'
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.post(
      '/api/admin/imports/{id}/stop',
      guarded('import.delete', ({ params }) => {
        const row = db.imports.find(({ id }) => id === Number(params.id))
        if (row?.status !== 'InProgress') return problem(409, 'not_running', 'Dieser Import ist schon beendet.')
        Object.assign(row, { status: 'Cancelled', status_message: `Der Import wurde angehalten, nach ${row.rows_done} Zeilen.` })
        return HttpResponse.json(row)
      }),
    ),
    http.get(
      '/api/admin/imports/{id}/errors',
      guarded('import.view', ({ url }) =>
        page(
          db.refusedRows.map((row) => ({ ...row, id: row.line, updated_at: '' })),
          url,
          'line',
          [],
        ),
      ),
    ),
    http.get(
      '/api/admin/imports/{id}/rows',
      guarded('import.view', ({ url }) => page([], url, 'line', [])),
    ),
    ...(['error-file', 'upload-file'] as const).map((fileKind) =>
      http.get(
        `/api/admin/imports/{id}/${fileKind}`,
        guarded('import.view', () => file('artikel-fehler.csv', 'Artikelnummer;Fehler\r\n')),
      ),
    ),
  ]
}
