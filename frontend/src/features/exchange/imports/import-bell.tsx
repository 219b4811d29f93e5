import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Popover from '@mui/material/Popover'
import Tooltip from '@mui/material/Tooltip'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bell, isRunning, pollInterval } from '~/features/exchange/shared/running'
import { useLive } from '~/features/exchange/shared/use-live'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { readText, writeText } from '~/lib/storage'
import { whenIdle } from '~/lib/when-idle'
import { useImportNews } from './use-import-news'

const BellPanel = lazyWithTexts(() => import('./bell-panel'))

const MAX = 99
/** Badge at the corner of the bell. */
const BADGE = {
  position: 'absolute',
  top: 8,
  right: 8,
  translate: '50% -50%',
  minWidth: 20,
  height: 20,
  px: 0.75,
  borderRadius: '10px',
  display: 'grid',
  placeItems: 'center',
  bgcolor: 'error.main',
  color: 'error.contrastText',
  fontSize: '0.75rem',
  lineHeight: 1,
  fontWeight: 500,
} as const
const CLOSED_AT = 'import-notification-closed-at'

export function ImportBell() {
  const { t } = useTranslation('shell')
  const queries = useQueryClient()
  useEffect(() => whenIdle(BellPanel.preload), [])
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [closedAt, setClosedAt] = useState(() => readText(CLOSED_AT))
  const list = useInfiniteQuery({
    ...bell.list(),
    refetchInterval: (query) => (query.state.data?.pages.some((page) => page.data.some(isRunning)) ? pollInterval() : false),
  })
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data])
  useImportNews(rows)
  useLive()
  const unread = useQuery({ ...bell.unread(closedAt), refetchInterval: () => (rows.some(isRunning) ? pollInterval() : false) })
  const count = unread.data ?? 0

  const countText = count > MAX ? `${MAX}+` : count

  function markSeen() {
    const now = new Date().toISOString()
    writeText(CLOSED_AT, now)
    setClosedAt(now)
    // reset to the first page
    queries.setQueryData(bell.list().queryKey, (old) => old && { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) })
    void queries.invalidateQueries({ queryKey: bell.list().queryKey })
  }

  function close() {
    setAnchor(null)
    markSeen()
  }

  return (
    <>
      <Tooltip title={t('imports.title')}>
        <IconButton
          aria-label={count > 0 ? t('imports.unread', { count, shown: countText }) : t('imports.title')}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Bell size={20} />
          {count > 0 && (
            <Box component="span" aria-hidden sx={BADGE}>
              {countText}
            </Box>
          )}
        </IconButton>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: { sx: { width: 400, maxWidth: 'calc(100vw - 32px)', mt: 0.5 }, role: 'dialog', 'aria-label': t('imports.title') },
        }}
      >
        <Suspense fallback={<Box sx={{ height: 300 }} aria-busy />}>
          <BellPanel count={count} closedAt={closedAt} onSeen={markSeen} onClose={close} />
        </Suspense>
      </Popover>
    </>
  )
}
