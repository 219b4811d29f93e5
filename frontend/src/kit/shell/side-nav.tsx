import Box from '@mui/material/Box'
import InputBase from '@mui/material/InputBase'
import Typography from '@mui/material/Typography'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { useNames } from '~/kit/records/resources'
import { fold } from '~/lib/fold'
import { readJson, writeJson } from '~/lib/storage'
import { keepTenant } from '~/session/tenant'
import { ClearButton } from '../form/clear-button'
import { Logo } from './logo'
import { currentItem, type MenuGroup } from './menu'
import { NavGroup } from './nav-group'

const KEY = 'navigation'

/** The groups that somebody has closed in this browser. */
function useClosed() {
  const [closed, setClosed] = useState(() => readJson<{ closed: string[] }>(KEY, { closed: [] }).closed)
  const toggle = (id: string) => {
    const next = closed.includes(id) ? closed.filter((one) => one !== id) : [...closed, id]
    writeJson(KEY, { closed: next })
    setClosed(next)
  }
  return { closed, toggle }
}

interface Props {
  groups: readonly MenuGroup[]
  /** Icons only. */
  rail?: boolean
  onNavigate: () => void
}

export function SideNav({ groups, rail = false, onNavigate }: Props) {
  const { t } = useTranslation('shell')
  const names = useNames()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { closed, toggle } = useClosed()
  const list = useRef<HTMLElement>(null)
  const current = currentItem(groups, pathname)
  const wanted = fold(typed)
  const found = groups
    .map((group) => ({ ...group, items: group.items.filter((item) => fold(names.many(item.id)).includes(wanted)) }))
    .filter((group) => group.items.length > 0)

  function onSearchKey(event: KeyboardEvent) {
    const first = found[0]?.items[0]
    if (event.key === 'Enter' && wanted && first) {
      navigate({ pathname: first.path, search: keepTenant(search) })
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
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100%', bgcolor: 'nav.main', color: 'nav.text' }}>
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
        component="nav"
        ref={list}
        aria-label={t('navigation')}
        sx={{ flex: 1, overflowY: 'auto', px: 1.5, pb: 2, scrollbarWidth: 'thin', scrollbarColor: 'rgb(255 255 255 / 20%) transparent' }}
      >
        {found.length === 0 && (
          <Typography variant="body2" role="status" sx={{ px: 1.5, py: 2, color: 'nav.soft' }}>
            {t('noMenuMatch')}
          </Typography>
        )}
        {found.map((group) => (
          <NavGroup
            key={group.id}
            group={group}
            rail={rail}
            open={rail || wanted !== '' || !closed.includes(group.id)}
            onToggle={() => toggle(group.id)}
            current={current?.item ?? null}
            onNavigate={onNavigate}
          />
        ))}
      </Box>
    </Box>
  )
}
