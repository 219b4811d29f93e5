import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { useConfig } from '~/session/config'

/** Links to imprint and privacy policy; empty if neither is configured. */
export function LegalLinks() {
  const { t } = useTranslation()
  const { imprint_url: imprint, privacy_url: privacy } = useConfig()
  return Object.entries({ imprint, privacy } as const).map(
    ([what, url]) =>
      url !== null && (
        <Box
          component="a"
          key={what}
          href={url}
          target="_blank"
          rel="noreferrer"
          // minimum target size for touch and unsteady hands
          sx={{ color: 'inherit', position: 'relative', display: 'inline-flex', alignItems: 'center', minHeight: 24 }}
        >
          {t(`legal.${what as 'imprint' | 'privacy'}`)}
          <span style={visuallyHidden}>{t('newTab')}</span>
        </Box>
      ),
  )
}
