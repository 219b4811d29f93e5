import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import MenuItem from '@mui/material/MenuItem'
import MenuList from '@mui/material/MenuList'
import Popover from '@mui/material/Popover'
import Stack from '@mui/material/Stack'
import { useColorScheme, useTheme } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { CircleUserRound, EllipsisVertical, Keyboard, Languages, LogOut, Monitor, Moon, Palette, Store, Sun } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { languageNames, languages, loadTexts } from '~/i18n/i18n'
import { useFormat } from '~/i18n/use-format'
import { useConfig } from '~/session/config'
import { chooseLanguage } from '~/session/language'
import { useCan, useMe } from '~/session/me'
import { keepTenant } from '~/session/tenant'
import { useShortcut } from '../shortcuts/shortcuts'

const LayoutDrawer = lazy(async () => {
  const [drawer] = await Promise.all([import('../layout/layout-drawer'), loadTexts('layout')])
  return drawer
})
const ShortcutHelp = lazy(() => import('../shortcuts/shortcut-help'))

interface Props {
  tenantSelect: ReactNode
  bell: ReactNode
  palette: (onHelp: () => void) => ReactNode
  onSignOut: () => void
}

/** Tenant, shop, language, imports, profile; below md all but the bell fold into one menu. */
export function TopBar({ tenantSelect, bell, palette, onSignOut }: Props) {
  const { t } = useTranslation('shell')
  const compact = useMediaQuery(useTheme().breakpoints.down('md'), { noSsr: true })
  const [help, setHelp] = useState(false)
  const [layout, setLayout] = useState(false)
  useShortcut('?', t('shortcuts.help'), () => setHelp(true))
  const shop = useCan('access-shop')
  const shopUrl = useConfig().shop_url
  const showShop = shop && shopUrl !== null
  const tools = { onSignOut, onHelp: () => setHelp(true), onLayout: () => setLayout(true) }
  return (
    <>
      {!compact && tenantSelect}
      <Box sx={{ flex: 1 }} />
      {palette(tools.onHelp)}
      {compact ? (
        <>
          {bell}
          <Folded label={t('more')} icon={<EllipsisVertical size={20} />}>
            {(close) => (
              <>
                {tenantSelect && <Box sx={{ p: 2 }}>{tenantSelect}</Box>}
                <WhoAmI />
                <MenuList>
                  {showShop && <ShopItem url={shopUrl} />}
                  <SessionItems {...tools} close={close} />
                </MenuList>
                <Settings />
              </>
            )}
          </Folded>
        </>
      ) : (
        <>
          {showShop && (
            <Button color="inherit" href={shopUrl} target="_blank" rel="noreferrer" startIcon={<Store size={18} />}>
              {t('toShop')}
            </Button>
          )}
          <LanguageButton />
          {bell}
          <Folded label={t('profile')} icon={<ProfileFace />}>
            {(close) => (
              <>
                <WhoAmI />
                <Settings />
                <Divider />
                <MenuList>
                  <SessionItems {...tools} close={close} />
                </MenuList>
              </>
            )}
          </Folded>
        </>
      )}
      {layout && (
        <Suspense fallback={null}>
          <LayoutDrawer onClose={() => setLayout(false)} />
        </Suspense>
      )}
      {help && (
        <Suspense fallback={null}>
          <ShortcutHelp onClose={() => setHelp(false)} />
        </Suspense>
      )}
    </>
  )
}

function Folded({ label, icon, children }: { label: string; icon: ReactNode; children: (close: () => void) => ReactNode }) {
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

function ProfileFace() {
  const me = useMe()
  const initials = me.name
    .split(/\s+/)
    .map((part) => part.charAt(0))
    .filter(Boolean)
  const text = [initials[0], initials.length > 1 ? initials.at(-1) : ''].join('').toLocaleUpperCase()
  return (
    <Box
      component="span"
      // a picture, not words: what is said of the button stands on it
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

function WhoAmI() {
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

function SessionItems({ onSignOut, onHelp, onLayout, close }: SessionItemsProps) {
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

function ShopItem({ url }: { url: string }) {
  const { t } = useTranslation('shell')
  return (
    <MenuItem component="a" href={url} target="_blank" rel="noreferrer">
      <ListItemIcon>
        <Store size={18} />
      </ListItemIcon>
      <ListItemText>{t('toShop')}</ListItemText>
    </MenuItem>
  )
}

function LanguageButton() {
  const { t } = useTranslation('shell')
  const { lang } = useFormat()
  const next = lang === 'de' ? 'en' : 'de'
  return (
    <Button
      color="inherit"
      lang={next}
      startIcon={<Languages size={18} />}
      aria-label={t('languageTo', { language: languageNames[next] })}
      onClick={() => void chooseLanguage(next)}
    >
      {languageNames[next]}
    </Button>
  )
}

/** Language and light or dark, as choices that show what is on. */
function Settings() {
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
        {languages.map((one) => (
          <ToggleButton key={one} value={one} lang={one} sx={{ textTransform: 'none' }}>
            {languageNames[one]}
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
