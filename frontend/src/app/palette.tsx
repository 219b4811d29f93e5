import { useColorScheme } from '@mui/material/styles'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { Building2, CircleUserRound, CornerDownRight, Keyboard, Languages, LogOut, Monitor, Moon, Plus, Sun, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useImportable } from '~/features/imports/may-import'
import { tenantRef } from '~/features/tenants/ref'
import { languageNames } from '~/i18n/i18n'
import type { Namespace } from '~/i18n/namespaces'
import { useFormat } from '~/i18n/use-format'
import { useErrorText } from '~/kit/feedback/error-text'
import { ranked } from '~/kit/palette/match'
import { PaletteDialog, type PaletteGroup, type PaletteItem } from '~/kit/palette/palette-dialog'
import type { MenuGroup, MenuItem } from '~/kit/shell/menu'
import { useDebounced } from '~/lib/use-debounced'
import { accessOf } from '~/session/access'
import { chooseLanguage } from '~/session/language'
import { useCan, useMe, useRights } from '~/session/me'
import { keepTenant, useTenant } from '~/session/tenant'
import { areas } from './palette-areas'
import { recents, remember } from './palette-recent'

interface Props {
  menu: readonly MenuGroup[]
  onClose: () => void
  onHelp: () => void
  onSignOut: () => void
}

type AreaId = MenuItem['id']
const SEARCHED_FROM = 2

/** Menu, records and actions behind one field: whatever the user may open or do. */
export default function Palette({ menu, onClose, onHelp, onSignOut }: Props) {
  const { t } = useTranslation(['palette', 'shell'])
  const [text, setText] = useState('')
  const me = useMe()
  const go = useGo()
  const items = useMemo(() => menu.flatMap((group) => group.items), [menu])
  const pages = items.map((item) => go({ id: `page.${item.id}`, label: t(`shell:menu.${item.id}`), icon: item.icon }, item.path))
  const actions = useActions(items, onHelp, onSignOut)
  const records = useRecords(items, text.trim())
  const tenants = useTenants(text.trim())

  const offered = [...pages, ...actions.map(({ item }) => item)]
  const recent = recents(me.id).flatMap((one): PaletteItem[] => {
    const known = offered.find(({ id }) => id === one.id)
    if (known) return [known]
    const area = items.find(({ path }) => one.path?.startsWith(`${path}/`))
    return area && one.path ? [go({ id: one.id, label: one.label, detail: one.detail, icon: area.icon }, one.path)] : []
  })
  const found: PaletteGroup[] = [
    { id: 'recent', title: t('groups.recent'), items: ranked(text, recent, ({ label, detail }) => [label, detail]) },
    {
      id: 'pages',
      title: t('groups.pages'),
      items: ranked(text, pages, ({ id, label }) => [label, areas[id.slice('page.'.length) as AreaId]?.words]),
    },
    ...records,
    tenants,
    {
      id: 'actions',
      title: t('groups.actions'),
      items: ranked(text, actions, ({ item, words }) => [item.label, words]).map(({ item }) => item),
    },
  ]

  function pick(item: PaletteItem) {
    if (!item.passing) {
      remember(me.id, { id: item.id, label: item.label, detail: item.detail, path: (item as Going).path })
    }
    onClose()
    // the dialog gives the focus back first, so that what opens now may take it
    setTimeout(item.run)
  }

  return <PaletteDialog text={text} onText={setText} groups={distinct(found)} onPick={pick} onClose={onClose} />
}

/** Something is offered once: where it stands first. */
function distinct(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const seen = new Set<string>()
  return groups.map((group) => ({
    ...group,
    items: group.items.filter(({ id }) => {
      const first = !seen.has(id)
      seen.add(id)
      return first
    }),
  }))
}

interface Going extends PaletteItem {
  path?: string
}

/** An item that leads somewhere, with the chosen tenant. */
function useGo() {
  const navigate = useNavigate()
  const { search } = useLocation()
  return (item: Omit<PaletteItem, 'run'>, path: string, filter = ''): Going => ({
    ...item,
    path,
    run: () => {
      const params = new URLSearchParams(keepTenant(search))
      for (const [name, value] of new URLSearchParams(filter)) params.set(name, value)
      void navigate({ pathname: path, search: params.toString() })
    },
  })
}

/** The records of each area that fit, side by side: a slow or failing area does not keep the others. */
function useRecords(items: readonly MenuItem[], typed: string): PaletteGroup[] {
  const { t } = useTranslation(['palette', 'shell'])
  const format = useFormat()
  const errorText = useErrorText()
  const go = useGo()
  const { tenantId } = useTenant()
  const search = useDebounced(typed, 250)
  const searching = typed.length >= SEARCHED_FROM && search.length >= SEARCHED_FROM
  const searched = (Object.keys(areas) as AreaId[]).flatMap((id) => {
    const item = items.find((one) => one.id === id)
    const records = areas[id].records
    return item && records ? [{ item, records }] : []
  })
  const answers = useQueries({
    queries: searched.map(({ records }) => ({
      ...records.find(search, tenantId),
      enabled: searching,
      retry: false,
      placeholderData: keepPreviousData,
    })),
  })
  if (!searching) return []
  return searched.map(({ item, records: { field } }, at): PaletteGroup => {
    const { data, error, isFetching } = answers[at] ?? {}
    const title = t(`shell:menu.${item.id}`)
    const found = (data?.records ?? []).map(({ id, label, detail }) =>
      go({ id: `${item.id}.${id}`, label, detail, icon: item.icon }, `${item.path}/${id}`),
    )
    const rest = (data?.total ?? 0) > found.length
    const all = go(
      {
        id: `all.${item.id}`,
        label: t('all', { total: format.decimal(data?.total ?? 0), area: title }),
        icon: CornerDownRight,
        passing: true,
      },
      item.path,
      new URLSearchParams({ [`f.${field}`]: search }).toString(),
    )
    return {
      id: item.id,
      title,
      items: error ? [] : rest ? [...found, all] : found,
      loading: isFetching === true || search !== typed,
      error: error ? errorText(error) : null,
    }
  })
}

/** For who may choose: the tenants that fit. */
function useTenants(typed: string): PaletteGroup {
  const { t } = useTranslation('palette')
  const { mayChoose, choose } = useTenant()
  const lists = useCan('tenant.list')
  const search = useDebounced(typed, 250)
  const enabled = mayChoose && lists && typed.length >= SEARCHED_FROM && search.length >= SEARCHED_FROM
  const { data } = useQuery({ ...tenantRef.find(search), enabled, retry: false })
  const found = enabled ? (data?.data ?? []).slice(0, 3) : []
  return {
    id: 'chooseTenant',
    title: t('groups.tenants'),
    items: found.map((tenant) => ({
      id: `tenant.${tenant.id}`,
      label: tenant.company,
      icon: Building2,
      passing: true,
      run: () => choose(tenant.id),
    })),
  }
}

interface Action {
  item: PaletteItem
  words: string
}

function useActions(items: readonly MenuItem[], onHelp: () => void, onSignOut: () => void): Action[] {
  const creatable = items.filter(({ id }) => areas[id].create)
  const { t } = useTranslation(['palette', 'shell', 'imports', ...creatable.map(({ id }) => id as Namespace)])
  const me = useMe()
  const rights = useRights()
  const go = useGo()
  const { lang } = useFormat()
  const { setMode } = useColorScheme()
  const mayImport = useImportable().length > 0
  const text = t as unknown as (key: string) => string
  const next = lang === 'de' ? 'en' : 'de'
  const create = creatable.flatMap(({ id, path }): Action[] => {
    const { create: area, ofTenants } = areas[id]
    if (!area || !accessOf(me, rights, area, { platform: !ofTenants }).create) return []
    return [
      {
        item: go({ id: `new.${id}`, label: text(`${id}:actions.new`), icon: Plus }, `${path}/new`),
        words: `new create neu anlegen ${areas[id].words}`,
      },
    ]
  })
  const modes = [
    ['light', Sun, 'light bright theme hell'],
    ['dark', Moon, 'dark night theme dunkel'],
    ['system', Monitor, 'system theme automatisch'],
  ] as const
  const list = items.find(({ id }) => id === 'imports')
  return [
    ...create,
    ...(list && mayImport
      ? [
          {
            item: go({ id: 'new.imports', label: t('imports:actions.new'), icon: Upload }, `${list.path}/new`),
            words: 'upload import csv xlsx hochladen',
          },
        ]
      : []),
    {
      item: go({ id: 'profile', label: t('shell:profile'), icon: CircleUserRound }, '/profile'),
      words: 'account password sessions profile konto passwort sitzungen profil',
    },
    {
      item: {
        id: 'language',
        label: t('shell:languageTo', { language: languageNames[next] }),
        icon: Languages,
        run: () => void chooseLanguage(next),
      },
      words: 'language sprache deutsch english englisch german',
    },
    ...modes.map(([mode, icon, words]) => ({
      item: { id: `mode.${mode}`, label: `${t('shell:mode.label')}: ${t(`shell:mode.${mode}`)}`, icon, run: () => setMode(mode) },
      words,
    })),
    { item: { id: 'help', label: t('shell:shortcuts.help'), icon: Keyboard, run: onHelp }, words: 'keyboard shortcuts help hilfe tasten' },
    { item: { id: 'logout', label: t('shell:logout'), icon: LogOut, run: onSignOut }, words: 'sign out log out logout abmelden ausloggen' },
  ]
}
