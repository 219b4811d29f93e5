import Button from '@mui/material/Button'
import { Unplug } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { EmptyState } from './empty-state'

/** One page broke; the shell around it goes on. A chunk that is gone after an update needs a reload. */
export function RouteError() {
  const { t } = useTranslation()
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  return (
    <EmptyState
      page
      icon={Unplug}
      title={t('errors.pageBroke')}
      action={
        <Button variant="outlined" onClick={() => location.reload()}>
          {t('actions.reload')}
        </Button>
      }
    >
      {t('errors.unexpected')}
    </EmptyState>
  )
}
