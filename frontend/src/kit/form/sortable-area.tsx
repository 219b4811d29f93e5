import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import IconButton from '@mui/material/IconButton'
import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, GripVertical } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, type Ref, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowAction } from '~/kit/ui/row-menu'

/** What a row that is dragged needs of where it lies. */
export interface RowParts {
  ref: Ref<never>
  style: CSSProperties
  /** What it is taken by. */
  handle: ReactNode
  dragging: boolean
}

interface Props {
  ids: readonly number[]
  name: (id: number) => string
  onMove: (from: number, to: number) => void
  /** Only shows the order. */
  fixed?: boolean
  children: ReactNode
}

/** Near an edge the page follows what is dragged; of a phone's cards the next one is not near it yet. */
const FOLLOWS = { threshold: { x: 0, y: 0.08 } }

/** Around rows in an order that is changed by dragging or by keyboard (space and arrows). */
export function SortableArea({ ids, name, onMove, fixed = false, children }: Props) {
  const { t } = useTranslation('reorder')
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const dragging = useRef(false)
  const spot = (key: unknown) => ({ name: name(Number(key)), position: ids.indexOf(Number(key)) + 1, count: ids.length })

  function onDragEnd({ active, over }: DragEndEvent) {
    dragging.current = false
    if (over && active.id !== over.id) onMove(ids.indexOf(Number(active.id)), ids.indexOf(Number(over.id)))
  }

  /** Escape drops what is held; what is around it stays. */
  function onKeyDown(event: KeyboardEvent) {
    if (!dragging.current || event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      autoScroll={FOLLOWS}
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
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy} disabled={fixed}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the handles within */}
        <div style={{ display: 'contents' }} onKeyDown={onKeyDown}>
          {children}
        </div>
      </SortableContext>
    </DndContext>
  )
}

/** A row of a `SortableArea`. */
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

/** The ways of a row by its menu. */
export function useMoves(count: number, onMove: (from: number, to: number) => void): (at: number) => RowAction[] {
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
