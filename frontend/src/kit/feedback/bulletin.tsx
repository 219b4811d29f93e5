import Button from '@mui/material/Button'
import Portal from '@mui/material/Portal'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { editionOptions } from '~/api/edition'
import { askNow } from '~/api/reach'
import { lacking } from '../route/later'
import { reload } from '../route/reload'
import { Notice } from './notice'
import { useSnackbarSlot } from './snackbar'
import { useAway } from './use-away'

/** What concerns the whole page: the server does not answer, a part could not be loaded, a new version is there. In a drawer it stands there. */
export function Bulletin() {
  const { t } = useTranslation()
  const away = useAway()
  const lacks = useSyncExternalStore(lacking.subscribe, lacking.get)
  const { data: newer } = useQuery(editionOptions())
  const slot = useSnackbarSlot()
  const news = away ? 'away' : lacks ? 'lacking' : newer ? 'newer' : null
  if (!news) return null
  return (
    <Portal container={slot} disablePortal={!slot}>
      <Notice
        strip
        tone={news === 'newer' ? 'info' : 'warning'}
        action={
          <Button size="small" color="inherit" onClick={away ? askNow : reload}>
            {t(away ? 'actions.retry' : 'actions.reload')}
          </Button>
        }
      >
        {t(`bulletin.${news}`)}
      </Notice>
    </Portal>
  )
}
