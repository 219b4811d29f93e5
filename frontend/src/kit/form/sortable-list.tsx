import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { type RowAction, RowMenu } from '~/kit/ui/row-menu'
import { type RowParts, SortableArea, SortableItem, useMoveActions } from './sortable-area'

interface Props<T> {
  items: readonly T[]
  id: (item: T) => number
  name: (item: T) => string
  detail?: ((item: T, at: number) => ReactNode) | undefined
  /** Renders the controls of a row. */
  tools?: (item: T, at: number) => ReactNode
  /** Further items of a row's menu. */
  actions?: (item: T, at: number) => RowAction[]
  onMove: (from: number, to: number) => void
  /** Disables moving; the order is only shown. */
  fixed?: boolean
}

/** List whose order is changed by dragging, by keyboard (space and arrows) or by a row's menu. */
export function SortableList<T>({ items, id, name, detail, tools, actions, onMove, fixed = false }: Props<T>) {
  const moves = useMoveActions(items.length, onMove)
  const nameOf = (key: number) => {
    const item = items.find((candidate) => id(candidate) === key)
    return item ? name(item) : ''
  }
  return (
    <SortableArea ids={items.map(id)} name={nameOf} onMove={onMove} fixed={fixed}>
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, border: 1, borderColor: 'divider', borderRadius: 1, overflow: 'hidden' }}>
        {items.map((item, at) => (
          <SortableItem key={id(item)} id={id(item)} name={name(item)}>
            {(parts) => (
              <ListRow parts={parts} fixed={fixed}>
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
              </ListRow>
            )}
          </SortableItem>
        ))}
      </Box>
    </SortableArea>
  )
}

function ListRow({ parts, fixed, children }: { parts: RowParts; fixed: boolean; children: ReactNode }) {
  return (
    <Box
      component="li"
      ref={parts.ref}
      style={parts.style}
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
        ...(parts.dragging && { position: 'relative', zIndex: 1, boxShadow: 4 }),
      }}
    >
      {!fixed && parts.handle}
      {children}
    </Box>
  )
}
