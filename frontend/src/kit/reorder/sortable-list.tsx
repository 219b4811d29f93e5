import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, GripVertical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowAction, RowMenu } from '../list/row-menu'

interface Props<T> {
  items: readonly T[]
  id: (item: T) => number
  name: (item: T) => string
  detail?: ((item: T, at: number) => ReactNode) | undefined
  /** Controls of a row. */
  tools?: (item: T, at: number) => ReactNode
  /** What the row's menu offers besides moving. */
  actions?: (item: T, at: number) => RowAction[]
  onMove: (from: number, to: number) => void
  /** Only shows the order. */
  fixed?: boolean
}

/** Rows in an order that is changed by dragging, by keyboard (space and arrows) or by the menu of a row. */
export function SortableList<T>({ items, id, name, detail, tools, actions, onMove, fixed = false }: Props<T>) {
  const { t } = useTranslation('reorder')
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const dragging = useRef(false)
  const ids = items.map(id)
  const last = ids.length - 1
  const nameOf = (key: unknown) => {
    const item = items.find((one) => id(one) === key)
    return item ? name(item) : ''
  }
  const spot = (key: unknown) => ({ name: nameOf(key), position: ids.indexOf(Number(key)) + 1, count: ids.length })

  function onDragEnd({ active, over }: DragEndEvent) {
    dragging.current = false
    if (over && active.id !== over.id) onMove(ids.indexOf(Number(active.id)), ids.indexOf(Number(over.id)))
  }

  /** Escape drops what is held; the drawer around it stays. */
  function onKeyDown(event: KeyboardEvent) {
    if (dragging.current && event.key === 'Escape') event.preventDefault()
  }

  const moves = (at: number): RowAction[] => {
    const first = at === 0 ? t('isFirst') : null
    const final = at === last ? t('isLast') : null
    return [
      { label: t('up'), icon: ArrowUp, onClick: () => onMove(at, at - 1), blocked: first },
      { label: t('down'), icon: ArrowDown, onClick: () => onMove(at, at + 1), blocked: final },
      { label: t('top'), icon: ArrowUpToLine, onClick: () => onMove(at, 0), blocked: first },
      { label: t('bottom'), icon: ArrowDownToLine, onClick: () => onMove(at, last), blocked: final },
    ]
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragStart={() => {
        dragging.current = true
      }}
      onDragEnd={onDragEnd}
      onDragCancel={() => {
        dragging.current = false
      }}
      accessibility={{
        screenReaderInstructions: { draggable: t('instructions') },
        announcements: {
          onDragStart: ({ active }) => t('picked', spot(active.id)),
          onDragOver: ({ active, over }) =>
            over ? t('over', { ...spot(active.id), position: ids.indexOf(Number(over.id)) + 1 }) : undefined,
          onDragEnd: ({ active, over }) => t('dropped', { ...spot(active.id), position: over ? ids.indexOf(Number(over.id)) + 1 : 0 }),
          onDragCancel: ({ active }) => t('cancelled', spot(active.id)),
        },
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy} disabled={fixed}>
        <Box
          component="ol"
          onKeyDown={onKeyDown}
          sx={{ listStyle: 'none', m: 0, p: 0, border: 1, borderColor: 'divider', borderRadius: 1, overflow: 'hidden' }}
        >
          {items.map((item, at) => (
            <SortableRow key={id(item)} id={id(item)} handle={fixed ? null : t('handle', { name: name(item) })}>
              <Typography variant="body2" color="textSecondary" sx={{ width: 28, textAlign: 'right' }}>
                {at + 1}
              </Typography>
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography variant="body2" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
                  {name(item)}
                </Typography>
                {detail && (
                  <Typography variant="caption" color="textSecondary" component="div" sx={{ overflowWrap: 'anywhere' }}>
                    {detail(item, at)}
                  </Typography>
                )}
              </Box>
              {tools?.(item, at)}
              {!fixed && <RowMenu name={name(item)} actions={[...moves(at), ...(actions?.(item, at) ?? [])]} />}
            </SortableRow>
          ))}
        </Box>
      </SortableContext>
    </DndContext>
  )
}

function SortableRow({ id, handle, children }: { id: number; handle: string | null; children: ReactNode }) {
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
      {handle && (
        <IconButton
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          size="small"
          aria-label={handle}
          sx={{ cursor: 'grab', touchAction: 'none' }}
        >
          <GripVertical size={18} />
        </IconButton>
      )}
      {children}
    </Box>
  )
}
