import ButtonBase from '@mui/material/ButtonBase'
import { changeLanguage } from '~/i18n/i18n'
import { useFormat } from '~/i18n/use-format'

export function LanguageSwitch() {
  const { lang } = useFormat()
  const [next, name] = lang === 'de' ? (['en', 'English'] as const) : (['de', 'Deutsch'] as const)
  return (
    <ButtonBase
      lang={next}
      onClick={() => void changeLanguage(next)}
      sx={{ textDecoration: 'underline', textUnderlineOffset: 3, minHeight: 24, px: 0.5 }}
    >
      {name}
    </ButtonBase>
  )
}
