import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Chip from '@mui/material/Chip'
import Collapse from '@mui/material/Collapse'
import InputBase from '@mui/material/InputBase'
import { styled } from '@mui/material/styles'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { ChevronDown, ExternalLink, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { fold } from '~/lib/fold'
import { keepTenant } from '~/session/tenant'
import { ClearButton } from '../form/clear-button'
import { useNames } from '../resource/resources'
import { visuallyHidden } from '../visually-hidden'
import { Logo } from './logo'
import { currentItem, type MenuGroup, type MenuItem } from './menu'

const Entry = styled(Link)(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 38,
    padding: '6px 12px',
    borderRadius: 7,
    color: palette.nav.soft,
    textDecoration: 'none',
    fontSize: '0.9375rem',
    fontWeight: 500,
    position: 'relative',
    '&:hover': { backgroundColor: 'rgb(255 255 255 / 6%)', color: palette.nav.text },
    '&:focus-visible': { outline: `2px solid ${palette.nav.text}`, outlineOffset: -2 },
    '&.active': { backgroundColor: 'rgb(255 255 255 / 10%)', color: palette.nav.text },
    // the brick of the house marks where one is
    '&.active::before': {
      content: '""',
      position: 'absolute',
      left: -12,
      top: 8,
      bottom: 8,
      width: 3,
      borderRadius: '0 3px 3px 0',
      backgroundColor: '#d2664c',
    },
    '&[aria-disabled=true]': { opacity: 0.5, pointerEvents: 'none' },
  }
})

function Item({ item, rail, onNavigate, active }: { item: MenuItem; rail: boolean; onNavigate: () => void; active: boolean }) {
  const names = useNames()
  const { search } = useLocation()
  const Icon = item.icon
  const content = (
    <>
      <Icon size={18} strokeWidth={1.75} aria-hidden />
      <Box component="span" sx={rail ? visuallyHidden : { flex: 1 }}>
        {names.many(item.id)}
      </Box>
      {item.chip && !rail && <Chip size="small" label={item.chip} />}
      {item.external && !rail && <ExternalLink size={14} aria-hidden />}
    </>
  )
  const target = item.newTab ? { target: '_blank', rel: 'noreferrer' } : {}
  if (item.external) {
    return (
      <Entry as="a" {...({ href: item.path } as object)} to={item.path} {...target}>
        {content}
      </Entry>
    )
  }
  return (
    <Entry
      to={{ pathname: item.path, search: keepTenant(search) }}
      className={active ? 'active' : ''}
      aria-current={active ? 'page' : undefined}
      aria-disabled={item.disabled}
      tabIndex={item.disabled ? -1 : undefined}
      onClick={onNavigate}
      {...target}
    >
      {content}
    </Entry>
  )
}

/** Beside the rail; a div of its own, because the entry is either link. */
function Tip({ title, children }: { title: string; children: ReactNode }) {
  if (!title) return children
  return (
    <Tooltip title={title} placement="right" describeChild>
      <div>{children}</div>
    </Tooltip>
  )
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
  const id = useId()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [closed, setClosed] = useState<string[]>([])
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
        {found.map((group) => {
          const open = rail || wanted !== '' || !group.collapsible || !closed.includes(group.id)
          const headId = `${id}-${group.id}`
          return (
            <Box
              key={group.id}
              role="group"
              aria-labelledby={headId}
              sx={rail ? { '& + &': { mt: 1, pt: 1, borderTop: '1px solid rgb(255 255 255 / 14%)' } } : { mt: 1.5 }}
            >
              {rail ? (
                <Box component="span" id={headId} sx={visuallyHidden}>
                  {t(`groups.${group.id}`)}
                </Box>
              ) : group.collapsible ? (
                <ButtonBase
                  id={headId}
                  aria-expanded={open}
                  onClick={() => setClosed((ids) => (ids.includes(group.id) ? ids.filter((one) => one !== group.id) : [...ids, group.id]))}
                  sx={{ width: '100%', justifyContent: 'space-between', px: 1.5, py: 0.5, borderRadius: '7px', color: 'nav.soft' }}
                >
                  <Typography variant="overline">{t(`groups.${group.id}`)}</Typography>
                  <Box
                    component={ChevronDown}
                    size={16}
                    sx={{ transform: open ? 'none' : 'rotate(-90deg)', transition: 'transform 120ms' }}
                  />
                </ButtonBase>
              ) : (
                <Typography variant="overline" component="div" id={headId} sx={{ px: 1.5, py: 0.5, color: 'nav.soft' }}>
                  {t(`groups.${group.id}`)}
                </Typography>
              )}
              <Collapse in={open}>
                <Box sx={{ display: 'grid', gap: '2px' }}>
                  {group.items.map((item) => (
                    <Tip key={item.id} title={rail ? names.many(item.id) : ''}>
                      <Item item={item} rail={rail} onNavigate={onNavigate} active={current?.item.id === item.id} />
                    </Tip>
                  ))}
                </Box>
              </Collapse>
            </Box>
          )
        })}
      </Box>
    </Box>
  )
}
