import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '~/api/errors'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { DrawerForm } from './form-drawer'
import { ReorderStatus } from './reorder-status'
import { SortableList } from './sortable-list'
import { useReorder } from './use-reorder'

interface Props<T> {
  title: string
  items: readonly T[]
  id: (item: T) => number
  name: (item: T) => string
  detail?: (item: T) => ReactNode
  /** Saves an order; `previousIds` is the order before the change. */
  save: (ids: number[], previousIds: number[]) => Promise<unknown>
  onClose: () => void
}

/**
 * Drawer to reorder rows by dragging, by keyboard (space and arrows) or by a row's menu; changes save
 * themselves.
 */
export function ReorderForm<T>({ title, items, id, name, detail, save, onClose }: Props<T>) {
  const { t } = useTranslation('reorder')
  const text = useErrorText()
  const failed = (error: unknown) => notify.error(t('failed', { reason: text(error) }))
  const { ordered, move, ...status } = useReorder({
    items,
    id,
    save,
    onError: failed,
    isConflict: (error) => isApiError(error, 'order_changed'),
    onSavedLate: (back) => notify.undoable(t('saved'), () => back().then(() => {}, failed)),
  })

  return (
    <DrawerForm title={title} onClose={onClose}>
      <Typography variant="body2" color="textSecondary">
        {t('hint')}
      </Typography>
      {/* stays in view while the list scrolls */}
      <Box role="status" sx={{ position: 'sticky', top: -24, zIndex: 2, minHeight: 44, py: 0.5, bgcolor: 'background.paper' }}>
        <ReorderStatus ids={ordered.map(id)} {...status} />
      </Box>
      <SortableList items={ordered} id={id} name={name} detail={detail} onMove={move} />
    </DrawerForm>
  )
}
