import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { useLabels } from '~/i18n/labels'
import type { RowParts } from '~/kit/form/sortable-area'
import { RowMenu } from '~/kit/ui/row-menu'
import { type Inner, orderedRow, RowBox, RowLink, useRowLink } from './table-parts'

export function Cards<R extends { id: number }>(props: Inner<R> & { rows: R[] }) {
  const { list, visibleColumns, rows, ordering } = props
  const labels = useLabels(list.ns)
  const link = useRowLink(props)
  const [title, ...rest] = visibleColumns
  const chosen = rest.filter((column) => column.card === 'chosen')
  const facts = chosen.length > 0 ? chosen : rest.filter((column) => column.card).slice(0, 3)
  const draw = (row: R, parts?: RowParts) => (
    <Box
      component="li"
      key={row.id}
      ref={parts?.ref}
      style={parts?.style}
      onClick={(event) => link.open(row, event)}
      sx={{
        display: 'flex',
        gap: 1,
        px: 2,
        py: 1.5,
        cursor: 'pointer',
        bgcolor: props.selection?.isSelected(row) ? 'action.selected' : undefined,
        borderTop: 1,
        borderColor: 'divider',
        '&:first-of-type': { borderTop: 0 },
        ...(parts?.dragging && { position: 'relative', zIndex: 1, boxShadow: 4, bgcolor: 'background.paper' }),
      }}
    >
      {parts && <Box sx={{ alignSelf: 'flex-start', ml: -1 }}>{parts.handle}</Box>}
      {props.selection && <RowBox {...props} selection={props.selection} row={row} />}
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <RowLink to={link.to(row)} sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {title?.cell(row)}
        </RowLink>
        <Box
          component="dl"
          sx={{
            display: 'grid',
            gridTemplateColumns: 'fit-content(45%) 1fr',
            columnGap: 1.5,
            rowGap: 0.25,
            m: 0,
            mt: 0.5,
            fontSize: '0.875rem',
          }}
        >
          {facts.map((column) => (
            // hides the label of an empty value
            <Box key={column.id} sx={{ display: 'contents', '&:has(> dd:empty, [data-none])': { display: 'none' } }}>
              <Box component="dt" sx={{ color: 'text.secondary' }}>
                {column.label ?? labels.field(column.id)}
              </Box>
              <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
                {column.cell(row)}
              </Box>
            </Box>
          ))}
        </Box>
      </Box>
      {props.rowActions && <RowMenu name={props.rowName(row)} actions={props.rowActions(row)} />}
    </Box>
  )
  return (
    <Box component="ul" aria-label={labels.text('title.list')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {rows.map((row) => (ordering ? orderedRow(ordering, props.rowName(row), row, draw) : draw(row)))}
    </Box>
  )
}

export function CardSkeleton() {
  return (
    <Stack spacing={2} sx={{ p: 2 }}>
      {[0, 1, 2, 3, 4].map((at) => (
        <div key={at}>
          <Skeleton width={`${40 + at * 8}%`} height={26} />
          <Skeleton width="60%" />
        </div>
      ))}
    </Stack>
  )
}
