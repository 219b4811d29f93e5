import Button from '@mui/material/Button'
import { Upload } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { ImportType } from '~/api/schema'
import { useMayImportFile } from '~/features/exchange/imports/file-right/ref'
import { importing } from '~/features/exchange/imports/resource'
import { keepTenant } from '~/session/tenant'

/** Link to the import of a file of a type; renders nothing for users who may not import it. */
export function ImportButton({ type }: { type: ImportType }) {
  const { t } = useTranslation()
  const { search } = useLocation()
  if (!useMayImportFile(type)) return null
  return (
    <Button
      component={Link}
      to={{ pathname: `${importing.path}/new`, search: keepTenant(search) }}
      state={{ type }}
      variant="outlined"
      startIcon={<Upload size={16} aria-hidden />}
    >
      {t('actions.importFile')}
    </Button>
  )
}
