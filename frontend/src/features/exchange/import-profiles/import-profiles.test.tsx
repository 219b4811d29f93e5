import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import type { ImportInspection, ImportProfile } from '~/api/schema'
import * as saving from '~/lib/download'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'
import { FILE_MAX_MB, profileFaults, readProfiles, writeProfiles } from './transfer'

const profile = (more: Partial<ImportProfile> = {}): ImportProfile => ({
  id: 1,
  version: 1,
  created_at: '2026-11-27T08:00:00Z',
  updated_at: '2026-11-27T08:00:00Z',
  tenant: { id: 1, short_code: 'NORD' },
  name: 'Werk Nord',
  type: 'Stock',
  settings: { decimal_sign: '.', constants: [{ field: 'warehouse', value: 'DU' }] },
  mapping: [
    { column: 'Teil', field: 'article_number' },
    { column: 'Vorrat', field: 'quantity', unit: 't' },
    { column: 'Farbe', field: null },
  ],
  ...more,
})

const file = (text: string) => new File([text], 'importprofile.json', { type: 'application/json' })

describe('a file of profiles', () => {
  it('contains only their contents, and is read as it was written', async () => {
    const text = writeProfiles([profile()])
    expect(Object.keys(JSON.parse(text).profiles[0])).toEqual(['name', 'type', 'settings', 'mapping'])
    const { name, type, settings, mapping } = profile()
    expect(await readProfiles(file(text))).toEqual([{ name, type, settings, mapping }])
  })

  it('is refused before it is sent if it cannot contain profiles', async () => {
    expect(await readProfiles(file('Name;Inhalt'))).toBe('notJson')
    for (const text of ['null', '[]', '{}', '{"profiles":{}}', '{"profiles":[]}', '{"profiles":[1]}', '{"profiles":[[]]}'])
      expect(await readProfiles(file(text))).toBe('notProfiles')
    expect(await readProfiles(file(' '.repeat(FILE_MAX_MB * 1024 ** 2 + 1)))).toBe('tooLarge')
  })

  it('has errors with the profile, its part and the entry', () => {
    const { name, type, settings, mapping } = profile()
    const sent = [{ name, type, settings, mapping }]
    const errors = {
      'profiles.0.mapping.1.field': ['a'],
      'profiles.0.settings.constants.0.value': ['b'],
      'profiles.0.name': ['c'],
      x: ['d'],
    }
    expect(profileFaults(errors, sent)).toEqual([
      { number: 1, name, part: 'mapping', entry: 2, messages: ['a'] },
      { number: 1, name, part: 'constants', entry: 1, messages: ['b'] },
      { number: 1, name, part: 'name', entry: null, messages: ['c'] },
    ])
  })
})

describe('the list of profiles', () => {
  it('describes a profile in words, and saves the profiles as a file', async () => {
    const save = vi.spyOn(saving, 'saveBlob').mockImplementation(() => {})
    db.importProfiles.push(profile())
    const { user } = renderApp('/import-profiles?tenantId=1')
    await user.click(await screen.findByRole('button', { name: 'Als JSON sichern' }))
    await waitFor(() => expect(save).toHaveBeenCalledOnce())
    const [blob, name] = save.mock.calls[0] as [Blob, string]
    expect([name, await blob.text()]).toEqual(['importprofile.json', writeProfiles([profile()])])

    await user.click(await screen.findByRole('link', { name: 'Werk Nord' }))
    const form = within(await screen.findByRole('dialog'))
    expect(await form.findByRole('row', { name: 'Vorrat Menge (t)' })).toBeInTheDocument()
    expect(form.getByRole('row', { name: 'Farbe Nicht verwendet' })).toBeInTheDocument()
    expect(form.getByText('Punkt')).toBeInTheDocument()
    expect(form.getByText('DU')).toBeInTheDocument()
    save.mockRestore()
  })

  it('loads a file of profiles, and names those with errors', async () => {
    const sent: unknown[] = []
    const errors = { 'profiles.0.mapping.0.field': ['Dieser Inhalt hat kein Feld „colour“.'] }
    server.use(
      http.post('*/api/admin/import-profiles/import', async ({ request }) => {
        sent.push(await request.json())
        if (sent.length === 1) return HttpResponse.json({ code: 'invalid', message: 'x', errors, request_id: 'r' }, { status: 422 })
        return HttpResponse.json({ created: 1, replaced: 0 })
      }),
    )
    const { user } = renderApp('/import-profiles?tenantId=1')
    await user.click(await screen.findByRole('button', { name: 'JSON einlesen' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Importprofile einlesen' }))
    await user.upload(dialog.getByLabelText('Profildatei *'), file('{"profiles":[]}'))
    await user.click(dialog.getByRole('button', { name: 'Einlesen' }))
    expect(await dialog.findByText('Die Datei enthält keine Importprofile.')).toBeInTheDocument()
    expect(sent).toEqual([])

    await user.upload(dialog.getByLabelText('Profildatei *'), file(writeProfiles([profile()])))
    await user.click(dialog.getByRole('button', { name: 'Einlesen' }))
    expect(
      await dialog.findByText('Profil 1 „Werk Nord“, Zuordnung der Spalten (Eintrag 1): Dieser Inhalt hat kein Feld „colour“.'),
    ).toBeInTheDocument()
    await user.click(dialog.getByRole('checkbox', { name: 'Profile mit gleichem Namen ersetzen' }))
    await user.click(dialog.getByRole('button', { name: 'Einlesen' }))
    expect(await screen.findByText('Importprofile eingelesen: 1 neu, 0 ersetzt')).toBeInTheDocument()
    expect(sent[1]).toMatchObject({ replace: true, profiles: [{ name: 'Werk Nord' }] })
  })
})

describe('a profile in the wizard', () => {
  const inspectionOf = (by: string | null): ImportInspection => {
    const one = (name: string, field: string | null) => ({
      name,
      field,
      recognised: null,
      recognised_by: null,
      unread: false,
      heading_unit: null,
      chosen_unit: null,
      measure: null,
      suggestion: null,
      samples: ['1'],
    })
    const field = (key: string, label: string) => ({ key, label, help: null, synonyms: [], unit: null })
    return {
      type: 'Stock',
      format: 'csv',
      encoding: 'UTF-8',
      delimiter: ';',
      decimal_sign: by ? '.' : ',',
      header_line: 1,
      rows: 1,
      hidden_rows: 0,
      sum_rows: 0,
      footnotes: ['Preise freibleibend'],
      can_sum_rows: false,
      notes: [],
      columns: [one('Teil', by && 'article_number'), one('Anzahl', null)],
      sheets: [],
      sheet: null,
      sample_lines: [2],
      fields: [field('article_number', 'Artikelnummer'), field('warehouse', 'Lager'), field('quantity', 'Menge')],
      required: [['article_number'], ['warehouse']],
      together: [],
      problems: [],
      profile: by === null ? null : { ...profile(), missing_columns: ['Vorrat', 'Farbe'] },
      remembered: null,
      better_type: null,
    }
  }

  it('reads the file, names missing columns, and is saved under another name', async () => {
    db.importProfiles.push(profile())
    const sent: FormData[] = []
    server.use(
      http.post('*/api/admin/imports/inspect', async ({ request }) => {
        const form = await request.formData()
        return HttpResponse.json(inspectionOf(form.get('profile_id') as string | null))
      }),
      http.post('*/api/admin/imports', async ({ request }) => {
        sent.push(await request.formData())
        return HttpResponse.json(db.imports[0], { status: 201 })
      }),
    )
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.selectOptions(await screen.findByLabelText('Inhalt *'), 'Bestände')
    await user.upload(screen.getByLabelText('Datei *'), new File(['x'], 'bestand.csv', { type: 'text/csv' }))
    expect(await screen.findByText('Eine Anmerkung unter der Tabelle wird ausgelassen: Preise freibleibend')).toBeInTheDocument()
    // submitting an incomplete form moves the focus to what is missing
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(screen.getByText(/^Es fehlt eine Spalte für: Artikelnummer/).closest('[data-problem]')).toHaveFocus())

    await user.selectOptions(screen.getByLabelText('Importprofil'), 'Werk Nord')
    expect(await screen.findByText(/^Die Datei hat 2 Spalten des Profils nicht: Vorrat, Farbe/)).toBeInTheDocument()
    expect(screen.getByRole('textbox', { name: 'Lager' })).toHaveValue('DU')
    expect(screen.queryByText(/^Es fehlt eine Spalte/)).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(JSON.parse(String(sent[0]?.get('settings')))).toEqual({ decimal_sign: '.', constants: [{ field: 'warehouse', value: 'DU' }] })
  })

  it('is renamed and deleted beside its selection', async () => {
    db.importProfiles.push(profile())
    server.use(
      http.patch('*/api/admin/import-profiles/:id', async ({ request }) => {
        const [row] = db.importProfiles
        Object.assign(row ?? {}, await request.json())
        return HttpResponse.json(row)
      }),
    )
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.selectOptions(await screen.findByLabelText('Inhalt *'), 'Bestände')
    await user.selectOptions(await screen.findByLabelText('Importprofil'), 'Werk Nord')
    await user.click(screen.getByRole('button', { name: 'Aktionen für Werk Nord' }))
    await user.click(screen.getByRole('menuitem', { name: 'Umbenennen' }))
    const dialog = within(await screen.findByRole('dialog', { name: '„Werk Nord“ umbenennen' }))
    await user.clear(dialog.getByLabelText('Name *'))
    await user.type(dialog.getByLabelText('Name *'), 'Werk West')
    await user.click(dialog.getByRole('button', { name: 'Speichern' }))
    expect(await screen.findByText('Importprofil in „Werk West“ umbenannt')).toBeInTheDocument()
    expect(await screen.findByRole('option', { name: 'Werk West', selected: true })).toBeInTheDocument()

    await user.click(screen.getByRole('button', { name: 'Aktionen für Werk West' }))
    await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(await question.findByRole('button', { name: 'Löschen' }))
    await waitFor(() => expect(db.importProfiles).toEqual([]))
    await waitFor(() => expect(screen.queryByLabelText('Importprofil')).not.toBeInTheDocument())
  })

  it('is created from the settings for a file', async () => {
    server.use(http.post('*/api/admin/imports/inspect', () => HttpResponse.json(inspectionOf(null))))
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.selectOptions(await screen.findByLabelText('Inhalt *'), 'Bestände')
    await user.upload(screen.getByLabelText('Datei *'), new File(['x'], 'bestand.csv', { type: 'text/csv' }))
    const columns = within(await screen.findByRole('region', { name: 'Spalten der Datei' }))
    await user.selectOptions(columns.getByLabelText('Teil', { selector: 'select' }), 'Artikelnummer')
    await user.click(screen.getByRole('button', { name: 'Als Profil speichern' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Importprofil speichern' }))
    await user.type(dialog.getByLabelText('Name *'), 'Werk Süd')
    await user.click(dialog.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.importProfiles).toHaveLength(1))
    expect(db.importProfiles[0]).toMatchObject({
      name: 'Werk Süd',
      type: 'Stock',
      settings: {},
      mapping: [
        { column: 'Teil', field: 'article_number' },
        { column: 'Anzahl', field: null },
      ],
    })
    expect(await screen.findByText('Importprofil „Werk Süd“ gespeichert')).toBeInTheDocument()
  })
})
