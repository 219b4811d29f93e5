import words from 'virtual:words'
import { useColorScheme } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { Building2, CircleHelp, CircleUserRound, Keyboard, Languages, LogOut, Monitor, Moon, Plus, Sun } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useImportable } from '~/features/exchange/imports/may-import'
import { tenantRef } from '~/features/identity/tenants/ref'
import { languageNames } from '~/i18n/i18n'
import { useFormat } from '~/i18n/use-format'
import { PaletteDialog, type PaletteGroup, type PaletteItem } from '~/kit/palette/palette-dialog'
import type { Resource } from '~/kit/records/resource'
import { useHelp } from '~/kit/shell/help'
import { type MenuGroup, useItemName } from '~/kit/shell/menu'
import { ranked } from '~/lib/match'
import { accessOf } from '~/session/access'
import { chooseLanguage } from '~/session/language'
import { useCan, useMe, useRights } from '~/session/me'
import { useTenant } from '~/session/tenant'
import type { EarlyKeys } from './palette-button'
import { type PathItem, usePathItem } from './palette-go'
import { recents, rememberRecent } from './palette-recent'
import { useMatchingRecords, useSearchTerm } from './palette-records'
import { resources } from './resources'

interface Props {
  menu: readonly MenuGroup[]
  earlyKeys: EarlyKeys
  onClose: () => void
  onHelp: () => void
  onSignOut: () => void
}

/** Command palette: one field for menu, records and actions, limited to what the user may open or do. */
export default function Palette({ menu, earlyKeys, onClose, onHelp, onSignOut }: Props) {
  const { t } = useTranslation('palette')
  const nameOf = useItemName()
  const [text, setText] = useState('')
  const [enter, setEnter] = useState(false)
  const me = useMe()
  const pathItem = usePathItem()
  const items = useMemo(() => menu.flatMap((group) => group.items), [menu])
  const openableResources = useMemo(() => resources.filter(({ ns }) => items.some(({ id }) => id === ns)), [items])
  const pages = items
    .filter(({ disabled }) => !disabled)
    .map((item): PaletteItem => {
      const { id, icon, path, external, newTab } = item
      const page = { id: `page.${id}`, label: nameOf(item), icon }
      return external
        ? { ...page, isTransient: true, run: () => void window.open(path, newTab ? '_blank' : '_self', 'noreferrer') }
        : pathItem(page, path)
    })
  const actions = useActions(openableResources, onHelp, onSignOut)
  const records = useMatchingRecords(openableResources, text.trim())
  const tenants = useTenants(text.trim())

  const offeredItems = [...pages, ...actions.map(({ item }) => item)]
  const recent = recents(me.id).flatMap((entry): PaletteItem[] => {
    const item = offeredItems.find(({ id }) => id === entry.id)
    if (item) return [item]
    const area = openableResources.filter(({ path }) => entry.path?.startsWith(`${path}/`)).sort((a, b) => b.path.length - a.path.length)[0]
    return area && entry.path ? [pathItem({ id: entry.id, label: entry.label, detail: entry.detail, icon: area.icon }, entry.path)] : []
  })
  const paletteGroups: PaletteGroup[] = [
    ...records.exact,
    { id: 'recent', title: t('groups.recent'), items: ranked(text, recent, ({ label, detail }) => [label, detail]) },
    {
      id: 'pages',
      title: t('groups.pages'),
      items: ranked(text, pages, ({ id, label }) => [label, words[id.slice('page.'.length)]]),
    },
    ...records.others,
    tenants,
    {
      id: 'actions',
      title: t('groups.actions'),
      items: ranked(text, actions, ({ item, words: also }) => [item.label, also]).map(({ item }) => item),
    },
  ]

  function pick(item: PaletteItem) {
    if (!item.isTransient) {
      rememberRecent(me.id, { id: item.id, label: item.label, detail: item.detail, path: (item as PathItem).path })
    }
    onClose()
    // runs after the dialog has returned the focus, so that a newly opened element can take it
    setTimeout(item.run)
  }

  // read when shown: React may render this before the reader of early keys ends
  useLayoutEffect(() => {
    setText(earlyKeys.text)
    setEnter(earlyKeys.enter)
  }, [earlyKeys])
  const groups = withoutDuplicates(paletteGroups)
  const pickFirst = useEffectEvent(() => {
    setEnter(false)
    const first = groups.flatMap((group) => group.items)[0]
    if (first) pick(first)
  })
  useEffect(() => {
    if (enter) pickFirst()
  }, [enter])

  return <PaletteDialog text={text} onText={setText} groups={groups} onPick={pick} onClose={onClose} />
}

/** Removes duplicates; an item stays where it comes first. */
function withoutDuplicates(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const ids = new Set<string>()
  return groups.map((group) => ({
    ...group,
    items: group.items.filter(({ id }) => {
      const first = !ids.has(id)
      ids.add(id)
      return first
    }),
  }))
}

/** Tenants that match, for users who may choose one. */
function useTenants(typed: string): PaletteGroup {
  const { t } = useTranslation('palette')
  const { mayChoose, choose } = useTenant()
  const lists = useCan('tenant.list')
  const { search, searching } = useSearchTerm(typed)
  const enabled = mayChoose && lists && searching
  const { data } = useQuery({ ...tenantRef.find(search), enabled, retry: false })
  const tenants = enabled ? (data?.data ?? []).slice(0, 3) : []
  return {
    id: 'chooseTenant',
    title: t('groups.tenants'),
    items: tenants.map(
      (tenant): PaletteItem => ({
        id: `tenant.${tenant.id}`,
        label: tenantRef.label(tenant),
        icon: Building2,
        isTransient: true,
        run: () => choose(tenant.id),
      }),
    ),
  }
}

interface Action {
  item: PaletteItem
  words: string
}

function useActions(openableResources: readonly Resource[], onHelp: () => void, onSignOut: () => void): Action[] {
  const list = openableResources.find(({ ns }) => ns === 'imports')
  const creatable = openableResources.filter((resource) => resource.form && resource !== list)
  const { t } = useTranslation(['palette', 'shell', 'imports', ...creatable.map(({ ns }) => ns)])
  const me = useMe()
  const rights = useRights()
  const pathItem = usePathItem()
  const { lang } = useFormat()
  const { setMode } = useColorScheme()
  const page = useHelp()
  const mayImport = useImportable().length > 0
  const text = t as unknown as (key: string) => string
  const next = lang === 'de' ? 'en' : 'de'
  const create = creatable.flatMap(({ ns, path, rights: area, owner, isPart, permission }): Action[] => {
    if (!accessOf(me, rights, area, { platform: owner === 'platform', isPart, permission }).create) return []
    return [
      {
        item: pathItem({ id: `new.${ns}`, label: text(`${ns}:actions.new`), icon: Plus }, `${path}/new`),
        words: `new create neu anlegen ${words[ns]}`,
      },
    ]
  })
  const modes = [
    ['light', Sun, 'light bright theme hell'],
    ['dark', Moon, 'dark night theme dunkel'],
    ['system', Monitor, 'system theme automatisch'],
  ] as const
  return [
    ...create,
    ...(list && mayImport
      ? [
          {
            item: pathItem({ id: 'new.imports', label: t('imports:actions.new'), icon: Plus }, `${list.path}/new`),
            words: 'upload import csv xlsx hochladen',
          },
        ]
      : []),
    {
      item: pathItem({ id: 'profile', label: t('shell:profile'), icon: CircleUserRound }, '/profile'),
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
    {
      item: { id: 'handbook', label: t('shell:help'), icon: CircleHelp, isTransient: true, run: () => void window.open(page, '_blank') },
      words: 'handbook manual help handbuch hilfe anleitung',
    },
    { item: { id: 'help', label: t('shell:shortcuts.help'), icon: Keyboard, run: onHelp }, words: 'keyboard shortcuts help hilfe tasten' },
    { item: { id: 'logout', label: t('shell:logout'), icon: LogOut, run: onSignOut }, words: 'sign out log out logout abmelden ausloggen' },
  ]
}
