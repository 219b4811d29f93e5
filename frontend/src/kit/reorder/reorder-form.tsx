import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { keyframes, styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../feedback/error-text'
import { notify } from '../feedback/snackbar'
import { DrawerForm } from '../form/form-drawer'
import { RowMenu } from '../list/row-menu'
import { useReorder } from './use-reorder'

interface Props<T> {
  title: string
  items: readonly T[]
  id: (item: T) => number
  name: (item: T) => string
  detail?: (item: T) => ReactNode
  save: (ids: number[]) => Promise<unknown>
  keys: readonly QueryKey[]
  onClose: () => void
}

const shrink = keyframes({ from: { transform: 'scaleX(1)' }, to: { transform: 'scaleX(0)' } })
const Countdown = styled('div')({ height: 3, transformOrigin: 'left', backgroundColor: 'var(--mui-palette-primary-main)' })

/** Drag, keyboard (space and arrows) or the menu of a row; all three save by themselves. */
export function ReorderForm<T>({ title, items, id, name, detail, save, keys, onClose }: Props<T>) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const text = useErrorText()
  const refresh = () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  const failed = (error: unknown) => notify.error(t('reorder.failed', { reason: text(error) }))
  const { ordered, phase, move, cancel, undo, delay } = useReorder({
    items,
    id,
    save,
    onError: failed,
    onSaved: () => void refresh(),
    onSavedLate: (back) => notify.undoable(t('reorder.saved'), () => back().then(() => void refresh(), failed)),
  })
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const ids = ordered.map(id)
  const nameOf = (key: unknown) => {
    const item = ordered.find((one) => id(one) === key)
    return item ? name(item) : ''
  }
  const spot = (key: unknown) => ({ name: nameOf(key), position: ids.indexOf(Number(key)) + 1, count: ids.length })

  function onDragEnd({ active, over }: DragEndEvent) {
    if (over && active.id !== over.id) move(ids.indexOf(Number(active.id)), ids.indexOf(Number(over.id)))
  }

  return (
    <DrawerForm title={title} onClose={onClose}>
      <Typography variant="body2" color="textSecondary">
        {t('reorder.hint')}
      </Typography>
      <Box role="status" sx={{ minHeight: 40 }}>
        {phase === 'waiting' && (
          <Box>
            <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
              <Typography variant="body2">{t('reorder.waiting')}</Typography>
              <Button size="small" onClick={cancel}>
                {t('actions.cancel')}
              </Button>
            </Box>
            {/* restarts with every change */}
            <Countdown key={ids.join()} sx={{ animation: `${shrink} ${delay}ms linear forwards` }} aria-hidden />
          </Box>
        )}
        {phase === 'saved' && (
          <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
            <Typography variant="body2">{t('reorder.saved')}</Typography>
            <Button size="small" onClick={undo}>
              {t('actions.undo')}
            </Button>
          </Box>
        )}
        {phase === 'saving' && <Typography variant="body2">{t('reorder.saving')}</Typography>}
      </Box>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={onDragEnd}
        accessibility={{
          screenReaderInstructions: { draggable: t('reorder.instructions') },
          announcements: {
            onDragStart: ({ active }) => t('reorder.picked', spot(active.id)),
            onDragOver: ({ active, over }) =>
              over ? t('reorder.over', { ...spot(active.id), position: ids.indexOf(Number(over.id)) + 1 }) : undefined,
            onDragEnd: ({ active, over }) =>
              t('reorder.dropped', { ...spot(active.id), position: over ? ids.indexOf(Number(over.id)) + 1 : 0 }),
            onDragCancel: ({ active }) => t('reorder.cancelled', spot(active.id)),
          },
        }}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <Box
            component="ol"
            sx={{ listStyle: 'none', m: 0, p: 0, border: 1, borderColor: 'divider', borderRadius: 1, overflow: 'hidden' }}
          >
            {ordered.map((item, at) => (
              <SortableRow key={id(item)} id={id(item)} label={t('reorder.handle', { name: name(item) })}>
                <Typography variant="body2" color="textSecondary" sx={{ width: 28, textAlign: 'right' }}>
                  {at + 1}
                </Typography>
                <Box sx={{ flex: 1, minWidth: 0 }}>
                  <Typography variant="body2" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
                    {name(item)}
                  </Typography>
                  {detail && (
                    <Typography variant="caption" color="textSecondary" component="div">
                      {detail(item)}
                    </Typography>
                  )}
                </Box>
                <RowMenu
                  name={name(item)}
                  actions={[
                    {
                      label: t('reorder.up'),
                      icon: ArrowUp,
                      onClick: () => move(at, at - 1),
                      blocked: at === 0 ? t('reorder.isFirst') : null,
                    },
                    {
                      label: t('reorder.down'),
                      icon: ArrowDown,
                      onClick: () => move(at, at + 1),
                      blocked: at === ids.length - 1 ? t('reorder.isLast') : null,
                    },
                    {
                      label: t('reorder.top'),
                      icon: ArrowUpToLine,
                      onClick: () => move(at, 0),
                      blocked: at === 0 ? t('reorder.isFirst') : null,
                    },
                    {
                      label: t('reorder.bottom'),
                      icon: ArrowDownToLine,
                      onClick: () => move(at, ids.length - 1),
                      blocked: at === ids.length - 1 ? t('reorder.isLast') : null,
                    },
                  ]}
                />
              </SortableRow>
            ))}
          </Box>
        </SortableContext>
      </DndContext>
    </DrawerForm>
  )
}

function SortableRow({ id, label, children }: { id: number; label: string; children: ReactNode }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id })
  return (
    <Box
      component="li"
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 1,
        py: 0.75,
        bgcolor: 'background.paper',
        borderTop: 1,
        borderColor: 'divider',
        '&:first-of-type': { borderTop: 0 },
        ...(isDragging && { position: 'relative', zIndex: 1, boxShadow: 4 }),
      }}
    >
      <IconButton
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        size="small"
        aria-label={label}
        sx={{ cursor: 'grab', touchAction: 'none' }}
      >
        <GripVertical size={18} />
      </IconButton>
      {children}
    </Box>
  )
}
