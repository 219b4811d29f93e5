import { useDraggable } from '@dnd-kit/core'
import IconButton from '@mui/material/IconButton'
import { ArrowDown, ArrowUp, GripVertical, Group, LogOut, Trash2, Ungroup } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowAction, RowMenu } from '~/kit/ui/row-menu'
import { useEditor } from './editor-context'
import {
  canGrow,
  DEPTH_MAX,
  type GroupNode,
  height,
  isGroup,
  NODES_MAX,
  type Node,
  nodePositionOf,
  stepOf,
  stepped,
  withMovedNode,
} from './tree'

/** Handle of a node, for dragging it or moving it with the arrow keys. */
export function Handle({ of }: { of: Node }) {
  const { t } = useTranslation('conditions')
  const { tree, readOnly } = useEditor()
  const { listeners, setNodeRef } = useDraggable({ id: of.key, disabled: readOnly })
  const { root } = tree
  if (readOnly || !root) return null

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    if (root) tree.move(stepped(root, of.key, event.key === 'ArrowUp' ? -1 : 1), of.key)
  }

  return (
    <IconButton
      ref={setNodeRef}
      {...listeners}
      onKeyDown={onKeyDown}
      size="small"
      data-part="handle"
      aria-label={t('handle', { node: tree.name(of.key) })}
      aria-keyshortcuts="ArrowUp ArrowDown"
      title={t('handleKeys')}
      sx={{ cursor: 'grab', touchAction: 'none' }}
    >
      <GripVertical size={18} />
    </IconButton>
  )
}

interface MenuProps {
  of: Node
  depth: number
  parent: GroupNode
}

/** Menu with the moves and other actions of a node. */
export function NodeMenu({ of, depth, parent }: MenuProps) {
  const { t } = useTranslation('conditions')
  const { tree, readOnly } = useEditor()
  const { root } = tree
  if (readOnly || !root) return null
  const step = (by: -1 | 1, label: string, icon: RowAction['icon'], end: string): RowAction => ({
    label,
    icon,
    onClick: () => tree.move(stepped(root, of.key, by), of.key),
    blocked: stepOf(root, of.key, by) ? null : end,
  })
  const above = nodePositionOf(root, parent.key)
  const deep = depth + height(of) > DEPTH_MAX ? t('limits.tooDeep', { max: DEPTH_MAX }) : null
  const actions: RowAction[] = [
    step(-1, t('move.up'), ArrowUp, t('move.isFirst')),
    step(1, t('move.down'), ArrowDown, t('move.isLast')),
    ...(above?.parent
      ? [
          {
            label: t('move.out'),
            icon: LogOut,
            onClick: () => above.parent && tree.move(withMovedNode(root, of.key, above.parent.key, above.at + 1), of.key),
          },
        ]
      : []),
    {
      label: t('move.wrap'),
      icon: Group,
      onClick: () => tree.wrap(of.key),
      blocked: deep ?? (canGrow(root, 1) ? null : t('limits.tooMany', { max: NODES_MAX })),
    },
    ...(isGroup(of) ? [{ label: t('move.dissolve'), icon: Ungroup, onClick: () => tree.dissolve(of.key) }] : []),
    { label: t('move.remove'), icon: Trash2, danger: true, onClick: () => tree.remove(of.key) },
  ]
  return <RowMenu name={tree.name(of.key)} actions={actions} />
}

export function Removal({ of }: { of: Node }) {
  const { t } = useTranslation('conditions')
  const { tree, readOnly } = useEditor()
  if (readOnly) return null
  return (
    <IconButton size="small" aria-label={t('remove', { node: tree.name(of.key) })} onClick={() => tree.remove(of.key)}>
      <Trash2 size={18} />
    </IconButton>
  )
}
