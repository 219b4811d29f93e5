import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'

/** What an import is called: its own name, otherwise what it brings. */
export function useImportName(): (row: Pick<Import, 'name' | 'type'>) => string {
  const { t } = useTranslation('shell')
  return (row) => row.name || t(`imports.types.${row.type}`)
}
