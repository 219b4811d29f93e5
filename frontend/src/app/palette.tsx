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
import { type Going, useGo } from './palette-go'
import { recents, rememberRecent } from './palette-recent'
import { useMatchingRecords, useSearched } from './palette-records'
import { resources } from './resources'

interface Props {
  menu: readonly MenuGroup[]
  early: EarlyKeys
  onClose: () => void
  onHelp: () => void
  onSignOut: () => void
}

/** Command palette: one field for menu, records and actions, limited to what the user may open or do. */
export default function Palette({ menu, early, onClose, onHelp, onSignOut }: Props) {
  const { t } = useTranslation('palette')
  const nameOf = useItemName()
  const [text, setText] = useState('')
  const [enter, setEnter] = useState(false)
  const me = useMe()
  const go = useGo()
  const items = useMemo(() => menu.flatMap((group) => group.items), [menu])
  const opens = useMemo(() => resources.filter(({ ns }) => items.some(({ id }) => id === ns)), [items])
  const pages = items
    .filter(({ disabled }) => !disabled)
    .map((item): PaletteItem => {
      const { id, icon, path, external, newTab } = item
      const page = { id: `page.${id}`, label: nameOf(item), icon }
      return external
        ? { ...page, passing: true, run: () => void window.open(path, newTab ? '_blank' : '_self', 'noreferrer') }
        : go(page, path)
    })
  const actions = useActions(opens, onHelp, onSignOut)
  const records = useMatchingRecords(opens, text.trim())
  const tenants = useTenants(text.trim())

  const offered = [...pages, ...actions.map(({ item }) => item)]
  const recent = recents(me.id).flatMap((one): PaletteItem[] => {
    const known = offered.find(({ id }) => id === one.id)
    if (known) return [known]
    const area = opens.filter(({ path }) => one.path?.startsWith(`${path}/`)).sort((a, b) => b.path.length - a.path.length)[0]
    return area && one.path ? [go({ id: one.id, label: one.label, detail: one.detail, icon: area.icon }, one.path)] : []
  })
  const found: PaletteGroup[] = [
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
    if (!item.passing) {
      rememberRecent(me.id, { id: item.id, label: item.label, detail: item.detail, path: (item as Going).path })
    }
    onClose()
    // runs after the dialog has returned the focus, so that a newly opened element can take it
    setTimeout(item.run)
  }

  // read when shown: React may render this before the reader of early keys ends
  useLayoutEffect(() => {
    setText(early.text)
    setEnter(early.enter)
  }, [early])
  const groups = distinct(found)
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

/** Tenants that match, for users who may choose one. */
function useTenants(typed: string): PaletteGroup {
  const { t } = useTranslation('palette')
  const { mayChoose, choose } = useTenant()
  const lists = useCan('tenant.list')
  const { search, searching } = useSearched(typed)
  const enabled = mayChoose && lists && searching
  const { data } = useQuery({ ...tenantRef.find(search), enabled, retry: false })
  const found = enabled ? (data?.data ?? []).slice(0, 3) : []
  return {
    id: 'chooseTenant',
    title: t('groups.tenants'),
    items: found.map((tenant) => ({
      id: `tenant.${tenant.id}`,
      label: tenantRef.label(tenant),
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

function useActions(opens: readonly Resource[], onHelp: () => void, onSignOut: () => void): Action[] {
  const list = opens.find(({ ns }) => ns === 'imports')
  const creatable = opens.filter((one) => one.form && one !== list)
  const { t } = useTranslation(['palette', 'shell', 'imports', ...creatable.map(({ ns }) => ns)])
  const me = useMe()
  const rights = useRights()
  const go = useGo()
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
        item: go({ id: `new.${ns}`, label: text(`${ns}:actions.new`), icon: Plus }, `${path}/new`),
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
            item: go({ id: 'new.imports', label: t('imports:actions.new'), icon: Plus }, `${list.path}/new`),
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
    {
      item: { id: 'handbook', label: t('shell:help'), icon: CircleHelp, passing: true, run: () => void window.open(page, '_blank') },
      words: 'handbook manual help handbuch hilfe anleitung',
    },
    { item: { id: 'help', label: t('shell:shortcuts.help'), icon: Keyboard, run: onHelp }, words: 'keyboard shortcuts help hilfe tasten' },
    { item: { id: 'logout', label: t('shell:logout'), icon: LogOut, run: onSignOut }, words: 'sign out log out logout abmelden ausloggen' },
  ]
}
