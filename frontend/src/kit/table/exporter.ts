import { client } from '~/api/client'
import { download, FILE } from '~/api/download'
import type { paths } from '~/api/schema'
import { filtersOnWire, type ListSpec, type ListState } from './list-state'

export type ExportFormat = 'csv' | 'xlsx'
export type Exporter = (state: ListState, format: ExportFormat) => Promise<void>
type ExportPath = Extract<keyof paths, `${string}/export`>

/** Exports all rows that match a list's filters, in its order. */
export const exporter =
  (path: ExportPath, spec: ListSpec): Exporter =>
  (state, format) =>
    // stands for any export endpoint: only what they share is used
    download(client.GET(path as '/api/admin/materials/export', { params: { query: { ...filtersOnWire(spec, state), format } }, ...FILE }))
