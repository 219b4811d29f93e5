import Button from '@mui/material/Button'
import Portal from '@mui/material/Portal'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { newVersionOptions } from '~/api/new-version'
import { checkNow, isOffline } from '~/api/reach'
import { useSignal } from '~/lib/signal'
import { chunkMissing } from './lazy-with-texts'
import { Notice } from './notice'
import { reload } from './reload'
import { useSnackbarSlot } from './snackbar'

/**
 * Notice about the whole page: the server does not answer, a chunk could not be loaded, or a new version is
 * available. While a drawer is open, it is shown in the drawer.
 */
export function PageNotice() {
  const { t } = useTranslation()
  const isAway = useSignal(isOffline)
  const isChunkMissing = useSignal(chunkMissing)
  const { data: newer } = useQuery(newVersionOptions())
  const slot = useSnackbarSlot()
  const news = isAway ? 'away' : isChunkMissing ? 'lacking' : newer ? 'newer' : null
  if (!news) return null
  return (
    <Portal container={slot} disablePortal={!slot}>
      <Notice
        strip
        tone={news === 'newer' ? 'info' : 'warning'}
        action={
          <Button size="small" color="inherit" onClick={isAway ? checkNow : reload}>
            {t(isAway ? 'actions.retry' : 'actions.reload')}
          </Button>
        }
      >
        {t(`bulletin.${news}`)}
      </Notice>
    </Portal>
  )
}
