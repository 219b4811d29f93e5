import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import IconButton from '@mui/material/IconButton'
import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, GripVertical } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, type Ref, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowAction } from '~/kit/ui/row-menu'

/** Props of a draggable row: element, style and handle. */
export interface RowParts {
  ref: Ref<never>
  style: CSSProperties
  /** Handle by which the row is dragged. */
  handle: ReactNode
  dragging: boolean
}

interface Props {
  ids: readonly number[]
  name: (id: number) => string
  onMove: (from: number, to: number) => void
  /** Disables moving; the order is only shown. */
  fixed?: boolean
  children: ReactNode
}

/**
 * Scrolls the page when a dragged row is near an edge. The threshold is small, because on a phone a card is
 * high and the next one would count as near.
 */
const AUTO_SCROLL = { threshold: { x: 0, y: 0.08 } }

/** Container for rows whose order is changed by dragging or by keyboard (space and arrows). */
export function SortableArea({ ids, name, onMove, fixed = false, children }: Props) {
  const { t } = useTranslation('reorder')
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const dragging = useRef(false)
  const positionParams = (key: unknown) => ({ name: name(Number(key)), position: ids.indexOf(Number(key)) + 1, count: ids.length })

  function onDragEnd({ active, over }: DragEndEvent) {
    dragging.current = false
    if (over && active.id !== over.id) onMove(ids.indexOf(Number(active.id)), ids.indexOf(Number(over.id)))
  }

  /** Lets Escape cancel a drag without closing the surrounding dialog. */
  function onKeyDown(event: KeyboardEvent) {
    if (!dragging.current || event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      autoScroll={AUTO_SCROLL}
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
          onDragStart: ({ active }) => t('picked', positionParams(active.id)),
          onDragOver: ({ active, over }) =>
            over ? t('over', { ...positionParams(active.id), position: ids.indexOf(Number(over.id)) + 1 }) : undefined,
          onDragEnd: ({ active, over }) =>
            t('dropped', { ...positionParams(active.id), position: over ? ids.indexOf(Number(over.id)) + 1 : 0 }),
          onDragCancel: ({ active }) => t('cancelled', positionParams(active.id)),
        },
      }}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy} disabled={fixed}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the handles within */}
        <div style={{ display: 'contents' }} onKeyDown={onKeyDown}>
          {children}
        </div>
      </SortableContext>
    </DndContext>
  )
}

/** Row of a `SortableArea`. */
export function SortableItem({ id, name, children }: { id: number; name: string; children: (parts: RowParts) => ReactNode }) {
  const { t } = useTranslation('reorder')
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id })
  return children({
    ref: setNodeRef,
    style: { transform: CSS.Translate.toString(transform), transition },
    handle: (
      <IconButton
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        size="small"
        aria-label={t('handle', { name })}
        sx={{ cursor: 'grab', touchAction: 'none' }}
      >
        <GripVertical size={18} />
      </IconButton>
    ),
    dragging: isDragging,
  })
}

/** Returns the menu items that move a row. */
export function useMoveActions(count: number, onMove: (from: number, to: number) => void): (at: number) => RowAction[] {
  const { t } = useTranslation('reorder')
  const last = count - 1
  return (at) => {
    const first = at === 0 ? t('isFirst') : null
    const final = at === last ? t('isLast') : null
    return [
      { label: t('up'), icon: ArrowUp, onClick: () => onMove(at, at - 1), blocked: first },
      { label: t('down'), icon: ArrowDown, onClick: () => onMove(at, at + 1), blocked: final },
      { label: t('top'), icon: ArrowUpToLine, onClick: () => onMove(at, 0), blocked: first },
      { label: t('bottom'), icon: ArrowDownToLine, onClick: () => onMove(at, last), blocked: final },
    ]
  }
}
