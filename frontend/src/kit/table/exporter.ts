import { client } from '~/api/client'
import { download, FILE } from '~/api/download'
import type { paths } from '~/api/schema'
import { filtersOnWire, type ListSpec, type ListState } from './list-state'

export type ExportFormat = 'csv' | 'xlsx'
export type Exporter = (state: ListState, format: ExportFormat) => Promise<void>
type ExportPath = Extract<keyof paths, `${string}/export`>

/** A list as a file: all that its filters match, in its order. */
export const exporter =
  (path: ExportPath, spec: ListSpec): Exporter =>
  (state, format) =>
    // what the paths have in common is all that is asked for
    download(client.GET(path as '/api/admin/materials/export', { params: { query: { ...filtersOnWire(spec, state), format } }, ...FILE }))
