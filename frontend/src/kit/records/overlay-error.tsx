import Drawer from '@mui/material/Drawer'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { RouteError } from './route-error'

/** Error boundary for a screen over a list that failed or could not be loaded; the list stays. */
export function OverlayError() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { search } = useLocation()
  const close = () => void navigate({ pathname: '..', search }, { relative: 'path' })
  return (
    <Drawer
      anchor="right"
      open
      onClose={close}
      slotProps={{
        paper: { role: 'dialog', 'aria-modal': true, 'aria-label': t('errors.page.title'), sx: { width: { xs: '100%', md: 520 } } },
      }}
    >
      <RouteError onClose={close} />
    </Drawer>
  )
}
