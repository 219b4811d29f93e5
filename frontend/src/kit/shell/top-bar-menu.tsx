import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import MenuItem from '@mui/material/MenuItem'
import Popover from '@mui/material/Popover'
import Stack from '@mui/material/Stack'
import { useColorScheme } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { CircleUserRound, Keyboard, LogOut, Monitor, Moon, Palette, Sun } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { languageNames, languages } from '~/i18n/i18n'
import { useFormat } from '~/i18n/use-format'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { chooseLanguage } from '~/session/language'
import { useMe } from '~/session/me'
import { keepTenant } from '~/session/tenant'

/** Button that opens a menu of tools for which the bar has no room. */
export function CollapsedMenu({ label, icon, children }: { label: string; icon: ReactNode; children: (close: () => void) => ReactNode }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  return (
    <>
      <Tooltip title={label}>
        <IconButton
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {icon}
        </IconButton>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { sx: { width: 300, mt: 0.5 }, role: 'dialog', 'aria-label': label } }}
      >
        {children(close)}
      </Popover>
    </>
  )
}

/** Initials of the signed-in user. */
export function ProfileFace() {
  const me = useMe()
  const initials = me.name
    .split(/\s+/)
    .map((part) => part.charAt(0))
    .filter(Boolean)
  const text = [initials[0], initials.length > 1 ? initials.at(-1) : ''].join('').toLocaleUpperCase()
  return (
    <Box
      component="span"
      // drawn by CSS, so that it is no text beside the button's label
      data-initials={text}
      sx={{
        '&::before': { content: 'attr(data-initials)' },
        display: 'grid',
        placeItems: 'center',
        width: 30,
        height: 30,
        borderRadius: '50%',
        bgcolor: 'primary.main',
        color: 'primary.contrastText',
        fontSize: '0.75rem',
        fontWeight: 650,
      }}
    >
      {!text && <CircleUserRound size={18} />}
    </Box>
  )
}

export function ProfileSummary() {
  const me = useMe()
  const { t } = useTranslation('shell')
  return (
    <Box sx={{ px: 2, pt: 2, pb: 1 }}>
      <Typography variant="h3" component="p">
        {me.name}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {me.email}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {me.tenant?.company ?? t('platform')}
      </Typography>
    </Box>
  )
}

interface SessionItemsProps {
  onSignOut: () => void
  onHelp: () => void
  onLayout: () => void
  close: () => void
}

export function SessionItems({ onSignOut, onHelp, onLayout, close }: SessionItemsProps) {
  const { t } = useTranslation('shell')
  const { search } = useLocation()
  return (
    <>
      <MenuItem component={Link} to={{ pathname: '/profile', search: keepTenant(search) }} onClick={close}>
        <ListItemIcon>
          <CircleUserRound size={18} />
        </ListItemIcon>
        <ListItemText>{t('profile')}</ListItemText>
      </MenuItem>
      <MenuItem
        onClick={() => {
          close()
          onLayout()
        }}
      >
        <ListItemIcon>
          <Palette size={18} />
        </ListItemIcon>
        <ListItemText>{t('layout')}</ListItemText>
      </MenuItem>
      <MenuItem
        onClick={() => {
          close()
          onHelp()
        }}
      >
        <ListItemIcon>
          <Keyboard size={18} />
        </ListItemIcon>
        <ListItemText>{t('shortcuts.help')}</ListItemText>
      </MenuItem>
      <MenuItem
        onClick={() => {
          close()
          onSignOut()
        }}
      >
        <ListItemIcon>
          <LogOut size={18} />
        </ListItemIcon>
        <ListItemText>{t('logout')}</ListItemText>
      </MenuItem>
    </>
  )
}

/** Menu item that opens an address in a new tab. */
export function LinkItem({ url, icon, label }: { url: string; icon: ReactNode; label: string }) {
  const { t } = useTranslation()
  return (
    <MenuItem component="a" href={url} target="_blank" rel="noreferrer">
      <ListItemIcon>{icon}</ListItemIcon>
      <ListItemText>
        {label}
        <span style={visuallyHidden}>{t('newTab')}</span>
      </ListItemText>
    </MenuItem>
  )
}

/** Language and colour scheme, as choices that show the current value. */
export function Settings() {
  const { t } = useTranslation('shell')
  const { lang } = useFormat()
  const { mode, setMode } = useColorScheme()
  return (
    <Stack spacing={1.5} sx={{ px: 2, py: 1.5 }}>
      <ToggleButtonGroup
        fullWidth
        exclusive
        size="small"
        value={lang}
        aria-label={t('language')}
        onChange={(_, value) => value && void chooseLanguage(value)}
      >
        {languages.map((language) => (
          <ToggleButton key={language} value={language} lang={language} sx={{ textTransform: 'none' }}>
            {languageNames[language]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <ToggleButtonGroup
        fullWidth
        exclusive
        size="small"
        value={mode ?? 'system'}
        aria-label={t('mode.label')}
        onChange={(_, value) => value && setMode(value)}
      >
        {(
          [
            ['light', Sun],
            ['dark', Moon],
            ['system', Monitor],
          ] as const
        ).map(([value, Icon]) => (
          <ToggleButton key={value} value={value} sx={{ textTransform: 'none', gap: 0.75 }}>
            <Icon size={16} aria-hidden />
            {t(`mode.${value}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Stack>
  )
}
