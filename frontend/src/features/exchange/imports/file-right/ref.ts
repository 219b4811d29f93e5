import type { ImportType } from '~/api/schema'
import { useMayImport } from '../may-import'

/** True if the user may import files of a type. */
export const useMayImportFile = (type: ImportType): boolean => useMayImport(type)
