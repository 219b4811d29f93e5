import { DndContext, DragOverlay, useDraggable } from '@dnd-kit/core'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { ChevronRight, GripVertical } from 'lucide-react'
import { type KeyboardEvent, memo, type ReactNode, useCallback, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowAction, RowMenu } from '~/kit/ui/row-menu'
import { useLatest } from '~/lib/use-latest'
import type { Forest, MoveDirection, TreeItem, TreePosition, VisibleRow } from './tree'
import { rows as shownRows } from './tree'
import { useTreeDrag } from './use-tree-drag'
import { useTreeKeys } from './use-tree-keys'

/** Maximum depth of indentation, because a phone is narrow; deeper levels are only announced. */
const MAX_INDENT_LEVEL = 8

const Item = styled('div')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    minHeight: 48,
    padding: '6px 8px 6px 4px',
    '--indent': 'calc(var(--level) * 22px)',
    paddingLeft: 'calc(var(--indent) + 4px)',
    [theme.breakpoints.down('sm')]: { gap: 4, paddingRight: 2, '--indent': 'calc(var(--level) * 12px)' },
    borderBottom: `1px solid ${palette.divider}`,
    cursor: 'pointer',
    // entries out of view cost nothing, even in a tree of thousands
    contentVisibility: 'auto',
    containIntrinsicSize: 'auto 48px',
    '&:last-of-type': { borderBottom: 0 },
    '&:hover': { backgroundColor: palette.action.hover },
    '&:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: -2 },
    '&[data-dragged]': { opacity: 0.45 },
    '&[data-drop=inside]': { backgroundColor: palette.action.selected, outline: `2px solid ${palette.primary.main}`, outlineOffset: -2 },
    '&[data-drop=before]::before, &[data-drop=after]::before': {
      content: '""',
      position: 'absolute',
      insetInline: 'calc(var(--indent) + 8px) 8px',
      height: 3,
      borderRadius: 2,
      backgroundColor: palette.primary.main,
    },
    '&[data-drop=before]::before': { top: -2 },
    '&[data-drop=after]::before': { bottom: -2 },
  }
})

const Grip = styled('span')({
  display: 'grid',
  placeItems: 'center',
  width: 28,
  height: 40,
  cursor: 'grab',
  touchAction: 'none',
  flexShrink: 0,
})
const ExpandIcon = styled('span')({
  display: 'grid',
  placeItems: 'center',
  width: 28,
  height: 40,
  flexShrink: 0,
  '& svg': { transition: 'transform 120ms' },
  '&[data-open=true] svg': { transform: 'rotate(90deg)' },
})

interface Props<T extends TreeItem> {
  label: string
  tree: Forest<T>
  name: (item: T) => string
  /** Renders the content of a row, beside what every tree has. */
  render: (item: T) => ReactNode
  actions: (item: T) => RowAction[]
  isOpen: (id: number) => boolean
  setOpen: (ids: readonly number[], open: boolean) => void
  /** Ids of the entries to show; null shows all. */
  onlyIds?: ReadonlySet<number> | null
  onOpen: (item: T) => void
  /** Moves an entry; absent if entries cannot be moved. */
  onMove?: ((id: number, place: TreePosition) => void) | undefined
  /** Moves an entry by one step; absent if entries cannot be moved. */
  onStep?: ((item: T, step: MoveDirection) => void) | undefined
}

/**
 * Tree that follows the ARIA pattern: one tab stop, arrow keys within. Entries are moved by dragging their
 * handle, or by Alt and arrows.
 */
export function TreeView<T extends TreeItem>(props: Props<T>) {
  const { tree, name, isOpen, setOpen, onlyIds = null, onMove } = props
  const { t } = useTranslation('tree')
  const id = useId()
  const rows = useMemo(() => shownRows(tree, isOpen, onlyIds), [tree, isOpen, onlyIds])
  const [current, setCurrent] = useState<number | null>(null)
  const active = rows.find(({ item }) => item.id === current)?.item.id ?? rows[0]?.item.id ?? null
  const elementOf = useCallback((itemId: number) => document.getElementById(`${id}-${itemId}`), [id])
  const focus = useCallback(
    (itemId: number) => {
      setCurrent(itemId)
      elementOf(itemId)?.focus()
    },
    [elementOf],
  )
  const drag = useTreeDrag({ tree, rows, setOpen, onMove: onMove ?? (() => {}) })
  const onKey = useTreeKeys({ ...props, rows, focus })

  // stable callbacks, so that rows whose props have not changed are not rendered again
  const latest = useLatest({ ...props, onKey })
  const [stable] = useState(() => ({
    onOpen: (item: T) => latest.current.onOpen(item),
    onKey: (event: KeyboardEvent, at: number) => latest.current.onKey(event, at),
    setOpen: (ids: readonly number[], open: boolean) => latest.current.setOpen(ids, open),
  }))

  const dragged = drag.dragged === null ? undefined : tree.byId.get(drag.dragged)
  return (
    <DndContext {...drag.context} accessibility={{ announcements: SILENT, screenReaderInstructions: { draggable: '' } }}>
      <div
        role="tree"
        aria-label={props.label}
        aria-describedby={`${id}-keys`}
        onFocus={(event) => {
          const row = event.target.closest<HTMLElement>('[data-tree-row]')?.dataset.treeRow
          if (row) setCurrent(Number(row))
        }}
      >
        {rows.map((row, at) => (
          <TreeRow
            key={row.item.id}
            {...stable}
            name={name(row.item)}
            render={props.render}
            actions={props.actions}
            row={row}
            at={at}
            id={`${id}-${row.item.id}`}
            isTabbable={row.item.id === active}
            isDragged={row.item.id === drag.dragged}
            drop={drag.target?.id === row.item.id ? drag.target.zone : undefined}
            grip={onMove !== undefined}
          />
        ))}
      </div>
      <Typography
        id={`${id}-keys`}
        variant="caption"
        color="textSecondary"
        component="p"
        sx={{ px: 2, py: 1.25, m: 0, '@media (hover: none)': { display: 'none' } }}
      >
        {t(onMove ? 'keysMove' : 'keys')}
      </Typography>
      <DragOverlay dropAnimation={null} style={{ pointerEvents: 'none' }}>
        {dragged && <DraggedRow>{name(dragged)}</DraggedRow>}
      </DragOverlay>
    </DndContext>
  )
}

// no announcements: dragging is by pointer only, and keyboard moves are announced by the snackbar
const SILENT = { onDragStart: () => undefined, onDragOver: () => undefined, onDragEnd: () => undefined, onDragCancel: () => undefined }

const DraggedRow = styled('div')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'inline-block',
    maxWidth: 320,
    padding: '8px 14px',
    borderRadius: 8,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: palette.text.primary,
    backgroundColor: palette.background.paper,
    boxShadow: theme.shadows[6],
    ...theme.typography.body2,
  }
})

interface RowProps<T extends TreeItem> extends Pick<Props<T>, 'render' | 'actions' | 'setOpen' | 'onOpen'> {
  name: string
  row: VisibleRow<T>
  at: number
  id: string
  isTabbable: boolean
  onKey: (event: KeyboardEvent, at: number) => void
  isDragged: boolean
  drop: string | undefined
  grip: boolean
}

function TreeRowOf<T extends TreeItem>({ row, at, id, isTabbable, onKey, isDragged, drop, grip, ...props }: RowProps<T>) {
  const { item, level, open } = row
  const toggle = () => props.setOpen([item.id], open === false)
  return (
    <Item
      role="treeitem"
      id={id}
      data-tree-row={item.id}
      aria-level={level}
      aria-setsize={row.siblingCount}
      aria-posinset={row.position}
      aria-labelledby={`${id}-name`}
      {...(open !== null && { 'aria-expanded': open })}
      tabIndex={isTabbable ? 0 : -1}
      data-dragged={isDragged || undefined}
      data-drop={drop}
      style={{ ['--level' as string]: Math.min(level, MAX_INDENT_LEVEL) - 1 }}
      onKeyDown={(event) => onKey(event, at)}
      onClick={() => {
        // selecting text must not open the entry
        if (!getSelection()?.toString()) props.onOpen(item)
      }}
    >
      {grip && <DragGrip id={item.id} />}
      {open === null ? (
        <ExpandIcon />
      ) : (
        <ExpandIcon
          data-open={open}
          aria-hidden
          onClick={(event) => {
            event.stopPropagation()
            toggle()
          }}
        >
          <ChevronRight size={18} />
        </ExpandIcon>
      )}
      <div id={`${id}-name`} style={{ flex: 1, minWidth: 0, display: 'flex', alignItems: 'center', gap: 10 }}>
        {props.render(item)}
      </div>
      <RowMenu name={props.name} actions={props.actions(item)} tabIndex={isTabbable ? 0 : -1} />
    </Item>
  )
}

const TreeRow = memo(TreeRowOf) as typeof TreeRowOf

function DragGrip({ id }: { id: number }) {
  const { listeners, setNodeRef } = useDraggable({ id })
  return (
    <Grip ref={setNodeRef} {...listeners} aria-hidden data-grip onClick={(event) => event.stopPropagation()}>
      <GripVertical size={16} />
    </Grip>
  )
}
