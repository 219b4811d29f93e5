import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import { useTheme } from '@mui/material/styles'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import {
  ArrowDown,
  ArrowUp,
  ChevronsDownUp,
  ChevronsUpDown,
  CornerDownRight,
  FolderTree,
  IndentDecrease,
  IndentIncrease,
  Shapes,
} from 'lucide-react'
import { Suspense, useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation, useNavigate } from 'react-router'
import type { CategoryNode } from '~/api/schema'
import { useDelete } from '~/kit/records/use-delete'
import { useRowActions } from '~/kit/records/use-row-actions'
import { useSeesHistory } from '~/kit/records/use-sees-history'
import type { TableColumn } from '~/kit/table/columns'
import { CreateButton } from '~/kit/table/create-button'
import { FilterBar } from '~/kit/table/filter-bar'
import { ListFrame } from '~/kit/table/table-parts'
import { NoMatch } from '~/kit/table/table-states'
import { useColumns } from '~/kit/table/use-columns'
import { useListState } from '~/kit/table/use-list-state'
import { useStartView } from '~/kit/table/views/use-start-view'
import { forest, type MoveDirection, step, withAncestors } from '~/kit/tree/tree'
import { TreeView } from '~/kit/tree/tree-view'
import { useOpen } from '~/kit/tree/use-open'
import { EmptyState } from '~/kit/ui/empty-state'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { LoadingView } from '~/kit/ui/loading-view'
import { Page } from '~/kit/ui/page'
import type { RowAction } from '~/kit/ui/row-menu'
import { useAccess } from '~/session/access'
import { categories } from './api'
import { matches } from './matches'
import { category } from './resource'
import { CategoryThumbnail } from './thumbnail'
import { useMoves } from './use-moves'

const ListTools = lazyWithTexts(() => import('~/kit/table/list-tools'), 'listTools')
const NONE: CategoryNode[] = []
/** A tree has no columns to choose from. */
const NO_COLUMNS: TableColumn<unknown>[] = []
const STEPS = [
  ['up', ArrowUp],
  ['down', ArrowDown],
  ['indent', IndentIncrease],
  ['outdent', IndentDecrease],
] as const

export default function CategoryTree() {
  const { t } = useTranslation(['categories', 'tree', 'reorder', 'common'])
  const navigate = useNavigate()
  const { search } = useLocation()
  const may = useAccess('category', { platform: true })
  const list = useListState('categories', categories.spec)
  const choice = useColumns('categories', NO_COLUMNS)
  useStartView(list, NO_COLUMNS, choice)
  const isPhone = useMediaQuery(useTheme().breakpoints.down('md'), { noSsr: true })
  const query = useQuery(categories.tree())
  const nodes = query.data?.data ?? NONE
  const tree = useMemo(() => forest(nodes), [nodes])
  const { isOpen, setOpen } = useOpen('categories', tree)
  const move = useMoves()
  const remove = useDelete<CategoryNode>({
    remove: (node) => categories.remove(node.id, node.name),
    name: (node) => node.name,
    usage: categories.usage,
    undoable: may.create,
  })
  const rowActions = useRowActions<CategoryNode>({ may, remove, record: useSeesHistory(category) ? category.record : null })
  const visibleIds = useMemo(
    () => (list.filtered ? withAncestors(tree, matches(list.state.filters)) : null),
    [tree, list.filtered, list.state.filters],
  )
  // if only matches are shown, positions among them are ambiguous
  const moves = may.update && !visibleIds

  function onStep(node: CategoryNode, direction: MoveDirection) {
    const place = step(tree, node.id, direction)
    if (!place) return
    // opens the target, so that the moved category stays visible
    if (place.parent_id !== null) setOpen([place.parent_id], true)
    move(node.id, place)
  }

  function actions(node: CategoryNode): RowAction[] {
    const [open, ...others] = rowActions(node)
    const texts = { up: t('reorder:up'), down: t('reorder:down'), indent: t('tree:indent'), outdent: t('tree:outdent') }
    const blocked = { up: t('reorder:isFirst'), down: t('reorder:isLast'), indent: t('tree:noIndent'), outdent: t('tree:noOutdent') }
    const steps = STEPS.map(([direction, icon]) => ({
      label: texts[direction],
      icon,
      blocked: step(tree, node.id, direction) ? null : blocked[direction],
      onClick: () => onStep(node, direction),
    }))
    const child = {
      label: t('actions.addChild'),
      icon: CornerDownRight,
      onClick: () => {
        setOpen([node.id], true)
        const params = new URLSearchParams(search)
        params.set('parent', String(node.id))
        void navigate({ pathname: 'new', search: `?${params}` })
      },
    }
    return [...(open ? [open] : []), ...(may.create ? [child] : []), ...(moves ? steps : []), ...others]
  }

  const isAlwaysOpen = useCallback(() => true, [])
  const parents = useMemo(() => [...tree.children.keys()].filter((id) => id !== null), [tree])
  const create = may.create && <CreateButton label={t('actions.new')} />
  const isEmptyTree = query.isSuccess && nodes.length === 0
  return (
    <Page fill title={t('title.list')} actions={create}>
      <ListFrame>
        {!isEmptyTree && (
          <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1, p: 1.5, borderBottom: 1, borderColor: 'divider' }}>
            <FilterBar list={list} />
            <Stack direction="row" sx={{ minHeight: 34 }}>
              <Tool label={t('tree:expandAll')} icon={ChevronsUpDown} run={() => setOpen(parents, true)} />
              <Tool label={t('tree:collapseAll')} icon={ChevronsDownUp} run={() => setOpen(parents, false)} />
              <Suspense fallback={null}>
                <ListTools
                  list={list}
                  columns={NO_COLUMNS}
                  choice={choice}
                  total={visibleIds ? visibleIds.size : nodes.length}
                  exporter={categories.export}
                  phone={isPhone}
                />
              </Suspense>
            </Stack>
          </Stack>
        )}
        <Box aria-busy={query.isFetching} sx={{ minHeight: 0, overflowY: 'auto' }}>
          {query.isPending ? (
            <LoadingView />
          ) : query.error && nodes.length === 0 ? (
            <LoadFailed error={query.error} retry={() => void query.refetch()} pending={query.isFetching} />
          ) : isEmptyTree ? (
            <EmptyState icon={FolderTree} title={t('empty.title')} action={create}>
              {t('empty.body')}
            </EmptyState>
          ) : visibleIds?.size === 0 ? (
            <NoMatch list={list} />
          ) : (
            <TreeView
              label={t('title.list')}
              tree={tree}
              name={(node) => node.name}
              render={render}
              actions={actions}
              isOpen={visibleIds ? isAlwaysOpen : isOpen}
              setOpen={setOpen}
              onlyIds={visibleIds}
              onOpen={(node) => void navigate({ pathname: String(node.id), search })}
              {...(moves && { onMove: move, onStep })}
            />
          )}
        </Box>
      </ListFrame>
      <Outlet />
    </Page>
  )
}

// the texts of a row are its accessible name: spaces separate them
const render = (node: CategoryNode) => (
  <>
    <CategoryThumbnail id={node.id} version={node.image} />
    <Box sx={{ minWidth: 0, flex: 1 }}>
      <Typography variant="body2" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
        {node.name}
      </Typography>{' '}
      {node.display_name && (
        <Typography variant="caption" color="textSecondary" component="div" sx={{ overflowWrap: 'anywhere' }}>
          {node.display_name}
        </Typography>
      )}
    </Box>{' '}
    {node.article_type && (
      <Chip
        size="small"
        variant="outlined"
        icon={<Shapes size={14} />}
        label={node.article_type.name}
        sx={{ display: { xs: 'none', md: 'inline-flex' } }}
      />
    )}
  </>
)

function Tool({ label, icon: Icon, run }: { label: string; icon: typeof ArrowUp; run: () => void }) {
  return (
    <Tooltip title={label}>
      <IconButton size="small" aria-label={label} onClick={run}>
        <Icon size={18} />
      </IconButton>
    </Tooltip>
  )
}
