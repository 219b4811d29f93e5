import { queryOptions } from '@tanstack/react-query'
import type { Meta } from '~/api/schema'
import { changed, readListState } from '~/kit/list/list-state'
import type { Resource } from '~/kit/resource/resource'

export interface FoundRecord {
  id: number
  label: string
  detail?: string | undefined
}

interface Page {
  data: { id: number }[]
  meta: Meta
}

const SHOWN = 5

/** The first records of a resource that a search finds, and the list's field that it fills. */
export const findRecords = (resource: Resource, search: string, tenantId: number | null) =>
  queryOptions({
    queryKey: ['get', resource.wire, 'found', search, tenantId],
    async queryFn({ signal }) {
      const { spec, list } = await resource.api()
      const field = spec.search ?? ''
      const filters = [{ field, op: 'is' as const, values: [search] }]
      const state = changed(spec, readListState(spec, ''), { size: SHOWN, tenantId, filters })
      const { queryFn } = list(state) as { queryFn: (context: { signal: AbortSignal }) => Promise<Page> }
      const { data, meta } = await queryFn({ signal })
      const record = (row: Page['data'][number]): FoundRecord => ({
        id: row.id,
        label: resource.title(row as never),
        detail: resource.detail?.(row as never) ?? undefined,
      })
      return { records: data.map(record), total: meta.total, field }
    },
  })
