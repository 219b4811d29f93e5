import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'

/** What an import is called: its own name, otherwise what it brings. */
export function useImportName(): (row: Pick<Import, 'name' | 'type'>) => string {
  const { t } = useTranslation('shell')
  return (row) => row.name || t(`imports.types.${row.type}`)
}

/** What tells an import from others where nothing stands beside it: its own name, otherwise its file's. */
export const spokenName = (row: Pick<Import, 'name' | 'upload_file'>): string => row.name || row.upload_file
