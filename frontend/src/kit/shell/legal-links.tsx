import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { useConfig } from '~/session/config'

/** Link in a line of small print, opened in a new tab. */
export function FooterLink({ href, children }: { href: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Box
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer"
      // minimum target size for touch and unsteady hands
      sx={{ color: 'inherit', position: 'relative', display: 'inline-flex', alignItems: 'center', minHeight: 24 }}
    >
      {children}
      <span style={visuallyHidden}>{t('newTab')}</span>
    </Box>
  )
}

/** Links to imprint and privacy policy; empty if neither is configured. */
export function LegalLinks() {
  const { t } = useTranslation()
  const { imprint_url: imprint, privacy_url: privacy } = useConfig()
  return Object.entries({ imprint, privacy } as const).map(
    ([label, url]) =>
      url !== null && (
        <FooterLink key={label} href={url}>
          {t(`legal.${label as 'imprint' | 'privacy'}`)}
        </FooterLink>
      ),
  )
}
