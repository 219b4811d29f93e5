import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useQuery } from '@tanstack/react-query'
import { BookmarkPlus, Check, Eye, House, Layers, type LucideIcon, PencilLine, RotateCcw, Save, Trash2, Users } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedView, SavedViewInput } from '~/api/schema'
import { useConfirm } from '~/kit/ui/confirm'
import { useErrorText } from '~/kit/ui/error-text'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { notify } from '~/kit/ui/snackbar'
import { useRights } from '~/session/me'
import { usePreferences } from '~/theme/preferences'
import type { TableColumn } from '../columns'
import type { ColumnChoice } from '../use-columns'
import type { List } from '../use-list-state'
import { views } from './api'
import { apply, equalViews, sanitizeView, stateOf } from './view-state'

const NameDialog = lazyWithTexts(() => import('./name-dialog'))

interface Props<Row> {
  list: List
  columns: readonly TableColumn<Row>[]
  choice: ColumnChoice<Row>
  phone: boolean
}

/** Menu of a list's saved views: apply, save and manage them. */
export function ViewsMenu<Row>({ list, columns, choice, phone }: Props<Row>) {
  const { t } = useTranslation('listTools')
  const { t: common } = useTranslation()
  const text = useErrorText()
  const confirm = useConfirm()
  const shares = useRights().has('view.share')
  const { density } = usePreferences()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [naming, setNaming] = useState<SavedView | 'new' | null>(null)
  const all = useQuery(views.list(list.ns)).data?.data

  const columnIds = columns.map((column) => column.id)
  const target = { list, columnIds, showColumns: choice.show }
  const currentView = stateOf(list.state, choice.ids, density)
  const active = all?.find((view) => view.id === list.state.view) ?? null
  const dirty = active !== null && !equalViews(sanitizeView(list.spec, columnIds, active.state), currentView)

  async function run(work: () => Promise<unknown>, done?: string) {
    try {
      await work()
      if (done) notify.success(done)
    } catch (error) {
      notify.error(text(error))
    }
  }

  const input = (view: SavedView, change: Partial<SavedViewInput>): SavedViewInput => {
    const { name, shared, state, version } = view
    return { list: list.ns, name, shared, state, version, ...change }
  }
  const change = (view: SavedView, part: Partial<SavedViewInput>, done: string) => run(() => views.update(view.id, input(view, part)), done)

  async function save(name: string, shared: boolean) {
    if (naming && naming !== 'new') {
      await views.update(naming.id, input(naming, { name, shared }))
    } else {
      const view = await views.create({ list: list.ns, name, shared, state: currentView })
      list.set({ view: view.id }, true)
    }
    notify.success(t('views.saved', { name }))
    setNaming(null)
  }

  const remove = (view: SavedView) =>
    confirm({
      title: common('confirm.deleteTitle', { name: view.name }),
      body: t(view.shared ? 'views.deleteShared' : 'views.deleteOwn'),
      action: common('actions.delete'),
      run: () => views.remove(view.id),
    }).then((done) => {
      if (!done) return
      list.set({ view: null }, true)
      notify.success(common('messages.deleted', { name: view.name }))
    })

  const item = (label: string, Icon: LucideIcon, onClick: () => void, danger = false) => (
    <MenuItem
      key={label}
      onClick={() => {
        setAnchor(null)
        onClick()
      }}
      sx={danger ? { color: 'error.main' } : {}}
    >
      <ListItemIcon sx={{ color: 'inherit' }}>
        <Icon size={18} />
      </ListItemIcon>
      <ListItemText>{label}</ListItemText>
    </MenuItem>
  )
  const choices = (title: string, menuViews: SavedView[]) =>
    menuViews.length > 0 && [
      <ListSubheader key={title} component="div" role="presentation" sx={{ lineHeight: 2.5 }}>
        {title}
      </ListSubheader>,
      ...menuViews.map((view) => (
        <MenuItem
          key={view.id}
          role="menuitemradio"
          aria-checked={view.id === active?.id}
          selected={view.id === active?.id}
          onClick={() => {
            setAnchor(null)
            apply(target, view)
          }}
        >
          <ListItemIcon>{view.id === active?.id && <Check size={18} />}</ListItemIcon>
          <ListItemText
            secondary={
              [view.default && t('views.isDefault'), !view.own && t('views.by', { name: view.user })].filter(Boolean).join(' · ') ||
              undefined
            }
            slotProps={{ primary: { sx: { overflowWrap: 'anywhere', whiteSpace: 'normal' } } }}
          >
            {view.name}
          </ListItemText>
        </MenuItem>
      )),
    ]

  const label = active ? t(dirty ? 'views.openDirty' : 'views.openNamed', { name: active.name }) : t('views.open')
  return (
    <>
      <Button
        color="inherit"
        startIcon={<Layers size={18} />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={label}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ color: 'text.secondary', minWidth: 0, maxWidth: 240, ...(phone && { '& .MuiButton-startIcon': { m: 0 } }) }}
      >
        {!phone && (
          <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            {active?.name ?? t('views.open')}
          </Box>
        )}
        {dirty && (
          <Box component="span" sx={{ ml: 0.75, width: 8, height: 8, borderRadius: '50%', bgcolor: 'warning.main', flex: 'none' }} />
        )}
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ paper: { sx: { width: 300, maxWidth: 'calc(100vw - 32px)' } }, list: { 'aria-label': t('views.open') } }}
      >
        {choices(t('views.own'), all?.filter((view) => !view.shared) ?? [])}
        {choices(t('views.shared'), all?.filter((view) => view.shared) ?? [])}
        {all && all.length > 0 && <Divider />}
        {dirty &&
          active.writable &&
          item(
            t('views.update', { name: active.name }),
            Save,
            () => void change(active, { state: currentView }, t('views.saved', { name: active.name })),
          )}
        {dirty && item(t('views.undo'), RotateCcw, () => apply(target, active))}
        {item(t('views.saveAs'), BookmarkPlus, () => setNaming('new'))}
        {active &&
          (active.default
            ? item(t('views.noDefault'), House, () => void run(() => views.choose(list.ns, null)))
            : item(
                t('views.makeDefault'),
                House,
                () => void run(() => views.choose(list.ns, active.id), t('views.isNowDefault', { name: active.name })),
              ))}
        {active?.writable && item(t('views.rename'), PencilLine, () => setNaming(active))}
        {active?.writable &&
          shares &&
          item(
            t(active.shared ? 'views.unshare' : 'views.share'),
            active.shared ? Eye : Users,
            () =>
              void change(
                active,
                { shared: !active.shared },
                t(active.shared ? 'views.isUnshared' : 'views.isShared', { name: active.name }),
              ),
          )}
        {active?.writable && item(t('views.delete'), Trash2, () => void remove(active), true)}
        {active &&
          item(t('views.leave'), RotateCcw, () => list.set({ filters: [], sort: list.spec.defaultSort, page: 1, view: null }, false))}
      </Menu>
      {naming && (
        <Suspense fallback={null}>
          <NameDialog view={naming === 'new' ? null : naming} shares={shares} onSave={save} onCancel={() => setNaming(null)} />
        </Suspense>
      )}
    </>
  )
}
