import type { QueryClient } from '@tanstack/react-query'
import type { Import } from '~/api/schema'
import { awaitedImports, bell } from '~/features/exchange/shared/running'
import { imports } from './api'

/**
 * Puts a new import into the caches of its page and of the bell, so that its end is notified even if it ends
 * very soon.
 */
export function cacheQueuedImport(queries: QueryClient, row: Import): void {
  awaitedImports.add(row.id)
  queries.setQueryData(imports.one(row.id).queryKey, row)
  queries.setQueryData(bell.list().queryKey, (old) => {
    const [first, ...rest] = old?.pages ?? []
    return old && first ? { ...old, pages: [{ ...first, data: [row, ...first.data] }, ...rest] } : old
  })
}
