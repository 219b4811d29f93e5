import Box from '@mui/material/Box'
import InputBase from '@mui/material/InputBase'
import Typography from '@mui/material/Typography'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { fold } from '~/lib/fold'
import { score } from '~/lib/match'
import { readJson, writeJson } from '~/lib/storage'
import { keepTenant } from '~/session/tenant'
import { ClearButton } from '../form/clear-button'
import { Logo } from './logo'
import { currentItem, type MenuGroup, type MenuItem, useItemName } from './menu'
import { NavGroup } from './nav-group'

const KEY = 'navigation'

/** Closed groups, stored in this browser; the group of the current page opens when the user enters it. */
function useClosedGroups(activeGroup: string | undefined) {
  const [closed, setClosed] = useState(() => readJson<{ closed: string[] }>(KEY, { closed: [] }).closed)
  const [previousGroup, setPreviousGroup] = useState<string>()
  if (previousGroup !== activeGroup) {
    setPreviousGroup(activeGroup)
    if (activeGroup && closed.includes(activeGroup)) setClosed(closed.filter((group) => group !== activeGroup))
  }
  const toggle = (id: string) => {
    const next = closed.includes(id) ? closed.filter((group) => group !== id) : [...closed, id]
    writeJson(KEY, { closed: next })
    setClosed(next)
  }
  return { closed, toggle }
}

interface Props {
  groups: readonly MenuGroup[]
  /** True if only icons are shown. */
  rail?: boolean
  onNavigate: () => void
}

export function SideNav({ groups, rail = false, onNavigate }: Props) {
  const { t } = useTranslation('shell')
  const nameOf = useItemName()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState<Readonly<Record<string, string>>>({})
  const list = useRef<HTMLDivElement>(null)
  const current = currentItem(groups, pathname)
  const { closed, toggle } = useClosedGroups(current?.group.id)
  const foldedQuery = fold(typed)
  const isMatch = (item: MenuItem) => fold(nameOf(item)).includes(foldedQuery) || score(typed, nameOf(item), words[item.id]) > 0
  const matchingGroups = groups.map((group) => ({ ...group, items: group.items.filter(isMatch) })).filter((group) => group.items.length > 0)
  const at = current?.item.path

  useEffect(() => {
    if (at) list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [at])

  /** Loads synonyms in both languages; without them only the names are searched. */
  async function loadWords() {
    const { default: loaded } = await import('virtual:words')
    setWords(loaded)
  }

  function open({ path, external, newTab }: MenuItem) {
    if (external) window.open(path, newTab ? '_blank' : '_self', 'noreferrer')
    else navigate({ pathname: path, search: keepTenant(search) })
  }

  function onSearchKey(event: KeyboardEvent) {
    const items = matchingGroups.flatMap((group) => group.items).filter(({ disabled }) => !disabled)
    // a match by name comes before one by synonym
    const first = items.find((item) => fold(nameOf(item)).includes(foldedQuery)) ?? items[0]
    if (event.key === 'Enter' && foldedQuery && first) {
      open(first)
      setTyped('')
      onNavigate()
    }
    if (event.key === 'Escape' && typed) {
      event.stopPropagation()
      setTyped('')
    }
    if (event.key === 'ArrowDown') list.current?.querySelector<HTMLElement>('a')?.focus()
  }

  return (
    <Box
      component="nav"
      aria-label={t('navigation')}
      sx={{ display: 'flex', flexDirection: 'column', height: '100%', bgcolor: 'nav.main', color: 'nav.text' }}
    >
      <Box
        component={Link}
        to={{ pathname: '/home', search: keepTenant(search) }}
        onClick={onNavigate}
        aria-label={t('home')}
        sx={{
          display: 'flex',
          alignItems: 'center',
          height: 60,
          px: rail ? 0 : 2.5,
          justifyContent: rail ? 'center' : 'flex-start',
          color: 'nav.text',
          textDecoration: 'none',
          flexShrink: 0,
        }}
      >
        <Logo word={!rail} />
      </Box>
      <Box sx={{ px: 1.5, pb: 1, display: rail ? 'none' : 'block' }}>
        <InputBase
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onSearchKey}
          onFocus={() => void loadWords().catch(() => undefined)}
          placeholder={t('searchMenu')}
          inputProps={{ 'aria-label': t('searchMenu') }}
          startAdornment={<Search size={16} aria-hidden />}
          endAdornment={<ClearButton text={typed} onClear={() => setTyped('')} />}
          fullWidth
          sx={{
            gap: 1,
            px: 1.5,
            py: 0.25,
            borderRadius: '7px',
            fontSize: '0.875rem',
            color: 'nav.text',
            bgcolor: 'rgb(255 255 255 / 7%)',
            '& svg': { color: 'nav.soft' },
            '& input::placeholder': { color: 'nav.soft', opacity: 1 },
            '&:focus-within': { outline: '2px solid', outlineColor: 'nav.soft' },
          }}
        />
      </Box>
      <Box
        ref={list}
        sx={{ flex: 1, overflowY: 'auto', px: 1.5, pb: 2, scrollbarWidth: 'thin', scrollbarColor: 'rgb(255 255 255 / 20%) transparent' }}
      >
        {matchingGroups.length === 0 && (
          <Typography variant="body2" role="status" sx={{ px: 1.5, py: 2, color: 'nav.soft' }}>
            {t('noMenuMatch')}
          </Typography>
        )}
        {matchingGroups.map((group) => (
          <NavGroup
            key={group.id}
            group={group}
            rail={rail}
            open={rail || foldedQuery !== '' || !closed.includes(group.id)}
            onToggle={() => toggle(group.id)}
            current={current?.item ?? null}
            onNavigate={onNavigate}
          />
        ))}
      </Box>
    </Box>
  )
}
