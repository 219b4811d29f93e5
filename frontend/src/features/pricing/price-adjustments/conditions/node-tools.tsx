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
  stepTarget,
  withMovedNode,
  withSteppedNode,
} from './tree'

/** Handle of a node, for dragging it or moving it with the arrow keys. */
export function Handle({ node }: { node: Node }) {
  const { t } = useTranslation('conditions')
  const { tree, readOnly } = useEditor()
  const { listeners, setNodeRef } = useDraggable({ id: node.key, disabled: readOnly })
  const { root } = tree
  if (readOnly || !root) return null

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    if (root) tree.move(withSteppedNode(root, node.key, event.key === 'ArrowUp' ? -1 : 1), node.key)
  }

  return (
    <IconButton
      ref={setNodeRef}
      {...listeners}
      onKeyDown={onKeyDown}
      size="small"
      data-part="handle"
      aria-label={t('handle', { node: tree.name(node.key) })}
      aria-keyshortcuts="ArrowUp ArrowDown"
      title={t('handleKeys')}
      sx={{ cursor: 'grab', touchAction: 'none' }}
    >
      <GripVertical size={18} />
    </IconButton>
  )
}

interface MenuProps {
  node: Node
  depth: number
  parent: GroupNode
}

/** Menu with the moves and other actions of a node. */
export function NodeMenu({ node, depth, parent }: MenuProps) {
  const { t } = useTranslation('conditions')
  const { tree, readOnly } = useEditor()
  const { root } = tree
  if (readOnly || !root) return null
  const step = (by: -1 | 1, label: string, icon: RowAction['icon'], end: string): RowAction => ({
    label,
    icon,
    onClick: () => tree.move(withSteppedNode(root, node.key, by), node.key),
    blocked: stepTarget(root, node.key, by) ? null : end,
  })
  const parentPosition = nodePositionOf(root, parent.key)
  const depthError = depth + height(node) > DEPTH_MAX ? t('limits.tooDeep', { max: DEPTH_MAX }) : null
  const actions: RowAction[] = [
    step(-1, t('move.up'), ArrowUp, t('move.isFirst')),
    step(1, t('move.down'), ArrowDown, t('move.isLast')),
    ...(parentPosition?.parent
      ? [
          {
            label: t('move.out'),
            icon: LogOut,
            onClick: () =>
              parentPosition.parent && tree.move(withMovedNode(root, node.key, parentPosition.parent.key, parentPosition.at + 1), node.key),
          },
        ]
      : []),
    {
      label: t('move.wrap'),
      icon: Group,
      onClick: () => tree.wrap(node.key),
      blocked: depthError ?? (canGrow(root, 1) ? null : t('limits.tooMany', { max: NODES_MAX })),
    },
    ...(isGroup(node) ? [{ label: t('move.dissolve'), icon: Ungroup, onClick: () => tree.dissolve(node.key) }] : []),
    { label: t('move.remove'), icon: Trash2, danger: true, onClick: () => tree.remove(node.key) },
  ]
  return <RowMenu name={tree.name(node.key)} actions={actions} />
}

export function RemoveButton({ node }: { node: Node }) {
  const { t } = useTranslation('conditions')
  const { tree, readOnly } = useEditor()
  if (readOnly) return null
  return (
    <IconButton size="small" aria-label={t('remove', { node: tree.name(node.key) })} onClick={() => tree.remove(node.key)}>
      <Trash2 size={18} />
    </IconButton>
  )
}
