import type { ImportType } from '~/api/schema'
import { useAccess } from '~/session/access'

/** Whether one may import at all. Articles are the platform's: who belongs to a tenant looks on. */
export function useMayImport(): boolean {
  const imports = useAccess('import')
  const articles = useAccess('article', { platform: true })
  return imports.create && articles.create && articles.update
}

/** What the server accepts by now. */
export const ACCEPTED: ReadonlySet<ImportType> = new Set<ImportType>(['Article'])
