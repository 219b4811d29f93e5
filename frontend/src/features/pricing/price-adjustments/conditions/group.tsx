import { useDroppable } from '@dnd-kit/core'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import { Plus } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { NativeSelect } from '~/kit/ui/native-select'
import { useEditor } from './editor-context'
import { Handle, NodeMenu, RemoveButton } from './node-tools'
import { TestRow } from './test-row'
import { canGrow, canMoveInto, DEPTH_MAX, GROUP_KINDS, type GroupKind, type GroupNode, isGroup, NODES_MAX } from './tree'

/** Colour of the edge of each kind of group, in addition to the words. */
const EDGE: Record<GroupKind, string> = { all: 'primary.main', any: 'secondary.main', not: 'error.main' }

interface Props {
  node: GroupNode
  /** Level in the tree, from 1. */
  depth: number
  parent: GroupNode | null
}

/** Group with its parts. */
export function GroupBox({ node, depth, parent }: Props) {
  const { t } = useTranslation('conditions')
  const { tree, readOnly, paths, errorAt, dragged } = useEditor()
  const name = tree.name(node.key)
  const path = paths.get(node.key) ?? ''
  const error = parent ? errorAt(path, null) : null
  const { root } = tree
  const depthError = (levels: number) => (depth + levels > DEPTH_MAX ? t('limits.tooDeep', { max: DEPTH_MAX }) : null)
  const countError = (nodes: number) => (canGrow(root, nodes) ? null : t('limits.tooMany', { max: NODES_MAX }))
  const testLimitError = depthError(1) ?? countError(1)
  const groupLimitError = depthError(2) ?? countError(2)
  const inner = depth % 2 === 0 ? 'action.hover' : 'background.paper'
  return (
    <Box
      role="group"
      aria-label={name}
      data-node={node.key}
      sx={{
        minWidth: 0,
        // the layout of rows depends on the width of the group, not of the window
        containerType: 'inline-size',
        p: { xs: 1, sm: 1.25 },
        bgcolor: inner,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        borderLeft: 4,
        borderLeftColor: EDGE[node.group],
        opacity: dragged === node.key ? 0.4 : 1,
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
        {parent && <Handle node={node} />}
        <NativeSelect
          value={node.group}
          disabled={readOnly}
          onChange={(event) => tree.setGroup(node.key, event.target.value as GroupKind)}
          inputProps={{ 'aria-label': t('groupOf', { node: name }) }}
          sx={{ flex: '0 1 340px', minWidth: 0, '& select': { py: 0.75, fontWeight: 550, textOverflow: 'ellipsis' } }}
        >
          {GROUP_KINDS.map((group) => (
            <option key={group} value={group}>
              {t(`group.${group}`)}
            </option>
          ))}
        </NativeSelect>
        {parent && (
          <Box sx={{ ml: 'auto', display: 'flex' }}>
            <NodeMenu node={node} depth={depth} parent={parent} />
            <RemoveButton node={node} />
          </Box>
        )}
      </Box>
      {error && <FormHelperText error>{error}</FormHelperText>}
      <Gap into={node.key} at={0} />
      {node.parts.map((part, at) => (
        <Fragment key={part.key}>
          {isGroup(part) ? (
            <GroupBox node={part} depth={depth + 1} parent={node} />
          ) : (
            <TestRow node={part} depth={depth + 1} parent={node} />
          )}
          <Gap into={node.key} at={at + 1} />
        </Fragment>
      ))}
      {!readOnly && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 0.5 }}>
          <Button
            size="small"
            startIcon={<Plus size={16} aria-hidden />}
            disabled={testLimitError !== null}
            aria-label={t('add.conditionTo', { group: name })}
            onClick={() => tree.addTest(node.key)}
          >
            {t('add.condition')}
          </Button>
          <Button
            size="small"
            startIcon={<Plus size={16} aria-hidden />}
            disabled={groupLimitError !== null}
            aria-label={t('add.groupTo', { group: name })}
            onClick={() => tree.addGroup(node.key)}
          >
            {t('add.group')}
          </Button>
          {(testLimitError ?? groupLimitError) && (
            <Box component="span" sx={{ typography: 'caption', color: 'text.secondary' }}>
              {testLimitError ?? groupLimitError}
            </Box>
          )}
        </Box>
      )}
    </Box>
  )
}

/** Place where a node can be dropped. */
function Gap({ into, at }: { into: string; at: number }) {
  const { tree, dragged } = useEditor()
  const allowed = dragged !== null && tree.root !== null && canMoveInto(tree.root, dragged, into)
  const { setNodeRef, isOver } = useDroppable({ id: `${into} ${at}`, data: { into, at }, disabled: !allowed })
  return (
    <Box
      ref={setNodeRef}
      sx={{ height: 8, borderRadius: 1, my: 0.25, bgcolor: isOver ? 'primary.main' : allowed ? 'action.selected' : 'transparent' }}
    />
  )
}
