import Box from '@mui/material/Box'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Menu as MenuIcon } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { PageNotice } from '~/kit/ui/page-notice'
import { usePreferences } from '~/theme/preferences'
import { Breadcrumbs } from './breadcrumbs'
import { LegalLinks } from './legal-links'
import type { MenuGroup } from './menu'
import { SideNav } from './side-nav'

const PrintStyles = lazyWithTexts(() => import('./print'))

/** Styles for print: one page below the other, as high as their content. */
const ON_PAPER = { '@media print': { display: 'block', height: 'auto', minHeight: 0 } } as const

const DRAWER_WIDTH = 260
const RAIL_WIDTH = 64
/** Maximum width of a page, unless the user has chosen full width. */
const PAGE_WIDTH = 1280
const BAR_HEIGHT = 60

interface Props {
  menu: readonly MenuGroup[]
  /** Tools of the top bar. */
  tools: ReactNode
  children: ReactNode
}

/**
 * Layout of the application: navigation at the side (a drawer below lg), bar on top, the page in the middle.
 */
export function AppShell({ menu, tools, children }: Props) {
  const { t } = useTranslation('shell')
  const isWide = useMediaQuery(useTheme().breakpoints.up('lg'), { noSsr: true })
  const { mini, width } = usePreferences()
  const [pinned, setPinned] = useState(!mini)
  // applies a changed preference immediately
  const [previousMini, setPreviousMini] = useState(mini)
  if (previousMini !== mini) {
    setPreviousMini(mini)
    setPinned(!mini)
  }
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const open = isWide ? pinned : isDrawerOpen
  const rail = isWide && mini && !open
  const nav = <SideNav groups={menu} rail={rail} onNavigate={() => setDrawerOpen(false)} />
  return (
    <Box sx={{ display: 'flex', minHeight: '100dvh', height: { md: '100dvh' }, ...ON_PAPER }}>
      <Suspense fallback={null}>
        <PrintStyles />
      </Suspense>
      <Box
        component="a"
        href="#main"
        onClick={(event: React.MouseEvent) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
        sx={{
          position: 'fixed',
          top: -80,
          left: 16,
          zIndex: 2100,
          p: 1.5,
          bgcolor: 'background.paper',
          color: 'text.primary',
          borderRadius: 1,
          '&:focus': { top: 8 },
        }}
      >
        {t('skip')}
      </Box>
      {isWide ? (
        (open || rail) && (
          <Box
            data-print="none"
            sx={{ width: rail ? RAIL_WIDTH : DRAWER_WIDTH, flexShrink: 0, height: '100dvh', position: 'sticky', top: 0 }}
          >
            {nav}
          </Box>
        )
      ) : (
        <Drawer
          open={open}
          onClose={() => setDrawerOpen(false)}
          ModalProps={{ keepMounted: false }}
          slotProps={{ paper: { sx: { width: DRAWER_WIDTH, border: 0 }, role: 'dialog', 'aria-label': t('navigation') } }}
        >
          {nav}
        </Drawer>
      )}
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        <Box
          component="header"
          data-print="none"
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1,
            height: BAR_HEIGHT,
            flexShrink: 0,
            px: { xs: 1, md: 2 },
            position: 'sticky',
            top: 0,
            zIndex: 'appBar',
            bgcolor: 'background.paper',
            borderBottom: 1,
            borderColor: 'divider',
          }}
        >
          <IconButton
            aria-label={t(open ? 'closeNavigation' : 'openNavigation')}
            aria-expanded={open}
            onClick={() => (isWide ? setPinned(!pinned) : setDrawerOpen(!isDrawerOpen))}
          >
            <MenuIcon size={20} />
          </IconButton>
          {tools}
        </Box>
        <PageNotice />
        <Box
          component="main"
          id="main"
          tabIndex={-1}
          // containing block for absolutely positioned content, such as screen reader texts, so that it
          // scrolls with the page
          sx={{
            position: 'relative',
            flex: 1,
            minHeight: 0,
            display: 'flex',
            flexDirection: 'column',
            overflowY: { md: 'auto' },
            outline: 'none',
          }}
        >
          <Box
            sx={{
              flex: 1,
              minHeight: 0,
              display: 'flex',
              flexDirection: 'column',
              ...(width === 'fixed' && { width: '100%', maxWidth: PAGE_WIDTH, mx: 'auto' }),
            }}
          >
            <Breadcrumbs groups={menu} />
            <Box sx={{ flex: 1, minHeight: 0 }}>{children}</Box>
          </Box>
        </Box>
        <Box
          component="footer"
          data-print="none"
          sx={{
            display: 'flex',
            flexShrink: 0,
            justifyContent: 'flex-end',
            gap: 2,
            px: { xs: 2, md: 3, lg: 4 },
            py: 0.25,
            borderTop: 1,
            borderColor: 'divider',
            color: 'text.secondary',
            fontSize: '0.75rem',
            '&:empty': { display: 'none' },
          }}
        >
          <LegalLinks />
        </Box>
      </Box>
    </Box>
  )
}
