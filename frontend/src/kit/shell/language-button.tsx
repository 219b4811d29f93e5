import Button from '@mui/material/Button'
import { Languages } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { languageNames } from '~/i18n/i18n'
import { useFormat } from '~/i18n/use-format'
import { chooseLanguage } from '~/session/language'

/** Button that switches to the other language. */
export function LanguageButton() {
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
