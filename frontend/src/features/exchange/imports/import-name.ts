import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'

/** Name of an import, or its type if it has none. */
export function useImportName(): (row: Pick<Import, 'name' | 'type'>) => string {
  const { t } = useTranslation('shell')
  return (row) => row.name || t(`imports.types.${row.type}`)
}

/** Name of an import for texts without further context, or the name of its file if it has none. */
export const spokenName = (row: Pick<Import, 'name' | 'upload_file'>): string => row.name || row.upload_file
