import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Chip from '@mui/material/Chip'
import Collapse from '@mui/material/Collapse'
import { styled } from '@mui/material/styles'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { ChevronDown, ExternalLink } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useFormat } from '~/i18n/use-format'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { keepTenant } from '~/session/tenant'
import { ATTENTION_MAX, type MenuGroup, type MenuItem, useItemName } from './menu'

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
    // a small block in the brand's colour marks the current page
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
  const { t } = useTranslation(['shell', 'common'])
  const nameOf = useItemName()
  const { search } = useLocation()
  const Icon = item.icon
  const content = (
    <>
      <Icon size={18} strokeWidth={1.75} aria-hidden style={{ flexShrink: 0 }} />
      {rail && item.waiting && (
        <Box
          component="span"
          aria-hidden
          sx={{ position: 'absolute', top: 7, left: 28, width: 8, height: 8, borderRadius: '50%', bgcolor: 'warning.main' }}
        />
      )}
      <Box component="span" sx={rail ? visuallyHidden : { flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        {nameOf(item)}
      </Box>
      {item.waiting && <AttentionCount count={item.waiting} rail={rail} />}
      {item.chip && !rail && (
        <Chip
          size="small"
          label={item.chip.label}
          color={item.chip.color}
          avatar={item.chip.avatar ? <Initials aria-hidden>{item.chip.avatar}</Initials> : undefined}
          sx={item.chip.color === 'default' ? { color: 'nav.text', bgcolor: 'rgb(255 255 255 / 14%)' } : undefined}
        />
      )}
      {item.external && !rail && <ExternalLink size={14} aria-hidden />}
      {item.newTab && <span style={visuallyHidden}>{t('common:newTab')}</span>}
    </>
  )
  const target = item.newTab ? { target: '_blank', rel: 'noreferrer' } : {}
  if (item.external) {
    // screen readers announce a link without an address as disabled
    const href = item.disabled ? { role: 'link', 'aria-disabled': true } : { href: item.path }
    return (
      <Entry as="a" {...(href as object)} to={item.path} {...target}>
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

/** Letters in a circle, as the avatar of a chip. */
const Initials = styled('span')({
  display: 'grid',
  placeItems: 'center',
  borderRadius: '50%',
  backgroundColor: 'rgb(255 255 255 / 24%)',
})

/** Number of records behind an entry that need attention. */
function AttentionCount({ count, rail }: { count: number; rail: boolean }) {
  const { t } = useTranslation('shell')
  const format = useFormat()
  const countText = format.decimal(count) + (count >= ATTENTION_MAX ? '+' : '')
  return (
    <>
      {!rail && <Chip size="small" color="warning" label={countText} aria-hidden sx={{ height: 20, fontVariantNumeric: 'tabular-nums' }} />}
      <span style={visuallyHidden}>{t('waiting', { count, shown: countText })}</span>
    </>
  )
}

/** Tooltip beside the rail. It has a div of its own, because the entry is one of two kinds of links. */
function RailTooltip({ title, children }: { title: string; children: ReactNode }) {
  if (!title) return children
  return (
    <Tooltip title={title} placement="right" describeChild>
      <div>{children}</div>
    </Tooltip>
  )
}

interface Props {
  group: MenuGroup
  /** True if only icons are shown. */
  rail: boolean
  open: boolean
  onToggle: () => void
  /** Entry of the current page. */
  current: MenuItem | null
  onNavigate: () => void
}

/** Group of the navigation: its head, which opens and closes it, and its entries. */
export function NavGroup({ group, rail, open, onToggle, current, onNavigate }: Props) {
  const { t } = useTranslation('shell')
  const nameOf = useItemName()
  const id = useId()
  const title = t(`groups.${group.id}`)
  const holdsCurrent = group.items.some((item) => item.id === current?.id)
  return (
    <Box
      role="group"
      aria-labelledby={id}
      sx={rail ? { '& + &': { mt: 1, pt: 1, borderTop: '1px solid rgb(255 255 255 / 14%)' } } : { mt: 1 }}
    >
      {rail ? (
        <Box component="span" id={id} sx={visuallyHidden}>
          {title}
        </Box>
      ) : (
        <ButtonBase
          id={id}
          aria-expanded={open}
          onClick={onToggle}
          sx={{
            width: '100%',
            justifyContent: 'space-between',
            px: 1.5,
            py: 0.75,
            borderRadius: '7px',
            // highlights a closed group that contains the current page
            color: !open && holdsCurrent ? 'nav.text' : 'nav.soft',
            '&:hover': { color: 'nav.text' },
          }}
        >
          <Typography variant="overline">{title}</Typography>
          <Box
            component={ChevronDown}
            size={16}
            aria-hidden
            sx={{ transform: open ? 'none' : 'rotate(-90deg)', transition: 'transform 120ms' }}
          />
        </ButtonBase>
      )}
      <Collapse in={open} unmountOnExit>
        <Box sx={{ display: 'grid', gap: '2px' }}>
          {group.items.map((item) => (
            <RailTooltip key={item.id} title={rail ? nameOf(item) : ''}>
              <Item item={item} rail={rail} onNavigate={onNavigate} active={current?.id === item.id} />
            </RailTooltip>
          ))}
        </Box>
      </Collapse>
    </Box>
  )
}
