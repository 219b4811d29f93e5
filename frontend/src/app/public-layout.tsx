import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation } from 'react-router'
import pattern from '~/assets/profiles.svg'
import { LanguageSwitch } from '~/features/identity/auth/language-switch'
import { useHelp } from '~/kit/shell/help'
import { FooterLink, LegalLinks } from '~/kit/shell/legal-links'
import { Logo } from '~/kit/shell/logo'
import { PageNotice } from '~/kit/ui/page-notice'
import { useSession } from '~/session/session'

/** Layout of every page that needs no sign-in: a centred card. */
export default function PublicLayout() {
  const { t } = useTranslation(['auth', 'common'])
  const help = useHelp()
  const { phase, token } = useSession()
  const { state } = useLocation() as { state: { from?: string; timedOut?: boolean } | null }
  const [initialSession] = useState({ phase, token })
  // a user redirected here because of an expired session must not be sent back with the same token
  const hasExpired = state?.timedOut === true && token === initialSession.token
  const enter = phase === 'in' && !hasExpired && <Navigate to={state?.from ?? '/home'} replace />
  if (initialSession.phase === 'in' && !hasExpired) return enter
  return (
    <Box
      sx={{
        minHeight: '100dvh',
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        bgcolor: 'nav.main',
        color: 'nav.text',
        backgroundImage: `url(${pattern})`,
        backgroundSize: '360px',
        px: 2,
      }}
    >
      <Box sx={{ alignSelf: 'stretch', mx: -2 }}>
        <PageNotice />
      </Box>
      {/* keeps the card on screen until the next page is loaded */}
      {enter}
      <Box component="header" sx={{ mt: { xs: 6, md: '12vh' }, mb: 4 }}>
        <Logo size={40} />
      </Box>
      <Paper
        component="main"
        elevation={0}
        sx={{ width: '100%', maxWidth: 420, p: { xs: 3, sm: 4 }, borderRadius: '14px', boxShadow: '0 24px 60px rgb(0 0 0 / 35%)' }}
      >
        <Outlet />
      </Paper>
      <Box
        component="footer"
        sx={{
          mt: 'auto',
          py: 3,
          display: 'flex',
          gap: 2,
          alignItems: 'center',
          flexWrap: 'wrap',
          justifyContent: 'center',
          color: 'nav.soft',
          fontSize: '0.8125rem',
          // the usual colour of the focus is too dark here
          '&& :focus-visible': { outlineColor: 'currentcolor' },
        }}
      >
        <span>{t('footer')}</span>
        <FooterLink href={help}>{t('common:help')}</FooterLink>
        <LegalLinks />
        <LanguageSwitch />
      </Box>
    </Box>
  )
}
