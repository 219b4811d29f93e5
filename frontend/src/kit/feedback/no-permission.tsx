import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { ShieldX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useConfig } from '~/session/config'
import { useCan } from '~/session/me'
import { useDocumentTitle } from '../shell/document-title'
import { EmptyState } from './empty-state'

/** Signed in, but not for the admin area. */
export function NoPermission({ onSignOut }: { onSignOut: () => void }) {
  const { t } = useTranslation('shell')
  const shop = useCan('access-shop')
  const { shop_url } = useConfig()
  useDocumentTitle(t('noPermission.title'))
  return (
    <Box component="main" sx={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}>
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
          </>
        }
      >
        {t(shop ? 'noPermission.shopOnly' : 'noPermission.nothing')}
      </EmptyState>
    </Box>
  )
}

/** Signed in and in the admin area, but not for this page. */
export function AreaForbidden() {
  const { t } = useTranslation('shell')
  useDocumentTitle(t('noPermission.title'))
  return (
    <EmptyState page icon={ShieldX} title={t('noPermission.title')}>
      {t('noPermission.area')}
    </EmptyState>
  )
}
