import { keyframes, styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'

const grow = keyframes({ from: { transform: 'scaleX(0)' }, to: { transform: 'scaleX(0.92)' } })

const Bar = styled('div')(({ theme }) => ({
  position: 'fixed',
  inset: '0 0 auto',
  zIndex: 2000,
  height: 3,
  transformOrigin: 'left',
  backgroundColor: (theme.vars ?? theme).palette.accent.main,
  // a fast navigation shows no bar
  animation: `${grow} 8s 150ms cubic-bezier(0.1, 0.8, 0.2, 1) both`,
}))

/** Progress bar during a navigation. */
export function LoadingBar() {
  const { t } = useTranslation()
  if (useNavigation().state === 'idle') return null
  return <Bar role="progressbar" aria-label={t('states.loading')} />
}
