import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import MenuList from '@mui/material/MenuList'
import { useTheme } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { CircleHelp, EllipsisVertical, Store } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { useShortcut } from '~/kit/ui/shortcuts'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { useConfig } from '~/session/config'
import { useCan, useMe } from '~/session/me'
import { useHelp } from './help'
import { LanguageButton } from './language-button'
import { CollapsedMenu, LinkItem, ProfileFace, ProfileSummary, SessionItems, Settings } from './top-bar-menu'

const LayoutDrawer = lazyWithTexts(() => import('./layout-drawer'), 'layout')
const ShortcutHelp = lazyWithTexts(() => import('./shortcut-help'))

interface Props {
  tenantSelect: ReactNode
  bell: ReactNode
  palette: (onHelp: () => void) => ReactNode
  onSignOut: () => void
}

/**
 * Top bar: tenant, shop, language, imports, profile. Below md everything but the bell and the user's own
 * tenant moves into one menu.
 */
export function TopBar({ tenantSelect, bell, palette, onSignOut }: Props) {
  const { t } = useTranslation(['shell', 'common'])
  const compact = useMediaQuery(useTheme().breakpoints.down('md'), { noSsr: true })
  const [help, setHelp] = useState(false)
  const [layout, setLayout] = useState(false)
  useShortcut('?', t('shortcuts.help'), () => setHelp(true))
  const page = useHelp()
  const { tenant } = useMe()
  const shop = useCan('access-shop')
  const shopUrl = useConfig().shop_url
  const showShop = shop && shopUrl !== null
  const tools = { onSignOut, onHelp: () => setHelp(true), onLayout: () => setLayout(true) }
  return (
    <>
      {!compact && tenantSelect}
      <Typography variant="body2" noWrap sx={{ flex: 1, minWidth: 0, fontWeight: 600 }} title={tenant?.company}>
        {tenant?.name}
      </Typography>
      {palette(tools.onHelp)}
      {compact ? (
        <>
          {bell}
          <CollapsedMenu label={t('more')} icon={<EllipsisVertical size={20} />}>
            {(close) => (
              <>
                {tenantSelect && <Box sx={{ p: 2 }}>{tenantSelect}</Box>}
                <ProfileSummary />
                <MenuList>
                  {showShop && <LinkItem url={shopUrl} icon={<Store size={18} />} label={t('toShop')} />}
                  <LinkItem url={page} icon={<CircleHelp size={18} />} label={t('help')} />
                  <SessionItems {...tools} close={close} />
                </MenuList>
                <Settings />
              </>
            )}
          </CollapsedMenu>
        </>
      ) : (
        <>
          {showShop && (
            <Button color="inherit" href={shopUrl} target="_blank" rel="noreferrer" startIcon={<Store size={18} />}>
              {t('toShop')}
              <span style={visuallyHidden}>{t('common:newTab')}</span>
            </Button>
          )}
          <LanguageButton />
          {bell}
          <IconButton href={page} target="_blank" aria-label={t('help')} title={t('help')}>
            <CircleHelp size={20} />
          </IconButton>
          <CollapsedMenu label={t('profile')} icon={<ProfileFace />}>
            {(close) => (
              <>
                <ProfileSummary />
                <Settings />
                <Divider />
                <MenuList>
                  <SessionItems {...tools} close={close} />
                </MenuList>
              </>
            )}
          </CollapsedMenu>
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
