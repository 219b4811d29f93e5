import Button from '@mui/material/Button'
import { Unplug } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { checkNow, isOffline } from '~/api/reach'
import { EmptyState } from '~/kit/ui/empty-state'
import { ChunkLoadError } from '~/kit/ui/lazy-with-texts'
import { reload } from '~/kit/ui/reload'
import { useSignal } from '~/lib/signal'
import { dropDraft } from '~/session/drafts'
import { useDraftKey } from './use-draft'

/** Error boundary of a page that failed or could not be loaded; everything around it goes on. */
export function RouteError({ onClose }: { onClose?: () => void }) {
  const { t } = useTranslation()
  const error = useRouteError()
  const draftKey = useDraftKey()
  const missing = error instanceof ChunkLoadError
  const isAway = useSignal(isOffline)
  useEffect(() => {
    // a draft that broke the page would break it again
    if (!(error instanceof ChunkLoadError)) dropDraft(draftKey)
  }, [error, draftKey])
  const hasWaited = useRef(false)
  useEffect(() => {
    if (isAway) hasWaited.current = true
    else if (hasWaited.current && missing) reload()
  }, [isAway, missing])
  const reason = !missing ? 'broke' : isAway ? 'away' : 'missing'
  return (
    <EmptyState
      page
      icon={Unplug}
      title={t(missing ? 'errors.page.notLoaded' : 'errors.page.broke')}
      action={
        <>
          <Button variant="outlined" onClick={isAway ? checkNow : reload}>
            {t(isAway ? 'actions.retry' : 'actions.reload')}
          </Button>
          {onClose && (
            <Button color="inherit" onClick={onClose}>
              {t('actions.close')}
            </Button>
          )}
        </>
      }
    >
      {t(reason === 'broke' ? 'errors.unexpected' : `errors.page.${reason}`)}
    </EmptyState>
  )
}
