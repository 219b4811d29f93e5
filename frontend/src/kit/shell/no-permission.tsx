import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { ShieldX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useDocumentTitle } from '~/kit/ui/document-title'
import { EmptyState } from '~/kit/ui/empty-state'
import { useConfig } from '~/session/config'
import { useCan, useMe } from '~/session/me'
import { useHelp } from './help'
import { LanguageButton } from './language-button'
import { FooterLink } from './legal-links'
import { Logo } from './logo'

/** Page for users who are signed in but have no access to the admin area. */
export function NoPermission({ onSignOut }: { onSignOut: () => void }) {
  const { t } = useTranslation(['shell', 'common'])
  const help = useHelp()
  const shop = useCan('access-shop')
  const { shop_url } = useConfig()
  const me = useMe()
  useDocumentTitle(t('noPermission.title'))
  return (
    <Box component="main" sx={{ display: 'grid', placeContent: 'center', justifyItems: 'center', minHeight: '100dvh', py: 4 }}>
      <Logo size={40} />
      <EmptyState
        page
        icon={ShieldX}
        title={t('noPermission.title')}
        action={
          <>
            {shop && shop_url && (
              <Button variant="contained" href={shop_url}>
                {t('toShop')}
              </Button>
            )}
            <Button variant="outlined" onClick={onSignOut}>
              {t('logout')}
            </Button>
            <LanguageButton />
            <FooterLink href={help}>{t('common:help')}</FooterLink>
          </>
        }
      >
        <span>{t(shop ? 'noPermission.shopOnly' : 'noPermission.nothing')}</span>
        <Box component="span" sx={{ display: 'block', mt: 2, overflowWrap: 'anywhere' }}>
          {t('noPermission.who', { name: me.name, email: me.email })}
        </Box>
      </EmptyState>
    </Box>
  )
}

/** Page for users who have access to the admin area but not to this page. */
export function AreaForbidden() {
  const { t } = useTranslation('shell')
  useDocumentTitle(t('noPermission.title'))
  return (
    <EmptyState page icon={ShieldX} title={t('noPermission.title')}>
      {t('noPermission.area')}
    </EmptyState>
  )
}
