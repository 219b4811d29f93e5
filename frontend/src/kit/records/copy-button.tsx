import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { CopyPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { copyAddress } from './copy-address'

/** Button in a record's drawer that opens a new record with its values. */
export function CopyButton({ id }: { id: number }) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const to = copyAddress(id, search)
  return (
    <Tooltip title={t('actions.duplicate')}>
      <IconButton
        component={Link}
        to={{ ...to, pathname: pathname.replace(/[^/]+$/, to.pathname) }}
        aria-label={t('actions.duplicate')}
        sx={{ mt: -0.5 }}
      >
        <CopyPlus size={18} />
      </IconButton>
    </Tooltip>
  )
}
