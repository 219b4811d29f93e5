import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { keyframes, styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../feedback/error-text'
import { notify } from '../feedback/snackbar'
import { DrawerForm } from '../form/form-drawer'
import { SortableList } from './sortable-list'
import { useReorder } from './use-reorder'

interface Props<T> {
  title: string
  items: readonly T[]
  id: (item: T) => number
  name: (item: T) => string
  detail?: (item: T) => ReactNode
  save: (ids: number[]) => Promise<unknown>
  onClose: () => void
}

const shrink = keyframes({ from: { transform: 'scaleX(1)' }, to: { transform: 'scaleX(0)' } })
const Countdown = styled('div')({ height: 3, transformOrigin: 'left', backgroundColor: 'var(--mui-palette-primary-main)' })

/** Drag, keyboard (space and arrows) or the menu of a row; all three save by themselves. */
export function ReorderForm<T>({ title, items, id, name, detail, save, onClose }: Props<T>) {
  const { t } = useTranslation(['common', 'reorder'])
  const text = useErrorText()
  const failed = (error: unknown) => notify.error(t('reorder:failed', { reason: text(error) }))
  const { ordered, phase, move, cancel, undo, delay } = useReorder({
    items,
    id,
    save,
    onError: failed,
    onSavedLate: (back) => notify.undoable(t('reorder:saved'), () => back().then(() => {}, failed)),
  })
  const ids = ordered.map(id)

  return (
    <DrawerForm title={title} onClose={onClose}>
      <Typography variant="body2" color="textSecondary">
        {t('reorder:hint')}
      </Typography>
      {/* in sight however far the list is scrolled */}
      <Box role="status" sx={{ position: 'sticky', top: -24, zIndex: 2, minHeight: 44, py: 0.5, bgcolor: 'background.paper' }}>
        {phase === 'waiting' && (
          <Box>
            <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
              <Typography variant="body2">{t('reorder:waiting')}</Typography>
              <Button size="small" variant="outlined" onClick={cancel}>
                {t('actions.cancel')}
              </Button>
            </Box>
            {/* restarts with every change */}
            <Countdown key={ids.join()} sx={{ animation: `${shrink} ${delay}ms linear forwards` }} aria-hidden />
          </Box>
        )}
        {phase === 'saved' && (
          <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
            <Typography variant="body2">{t('reorder:saved')}</Typography>
            <Button size="small" variant="outlined" onClick={undo}>
              {t('actions.undo')}
            </Button>
          </Box>
        )}
        {phase === 'saving' && <Typography variant="body2">{t('reorder:saving')}</Typography>}
      </Box>
      <SortableList items={ordered} id={id} name={name} detail={detail} onMove={move} />
    </DrawerForm>
  )
}
