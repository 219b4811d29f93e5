import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '~/i18n/i18n'

export function LanguageSwitch() {
  const { i18n } = useTranslation()
  const [next, name] = i18n.language === 'de' ? (['en', 'English'] as const) : (['de', 'Deutsch'] as const)
  return (
    <ButtonBase
      lang={next}
      onClick={() => void changeLanguage(next)}
      sx={{ font: 'inherit', textDecoration: 'underline', textUnderlineOffset: 3, minHeight: 24, px: 0.5 }}
    >
      {name}
    </ButtonBase>
  )
}
