import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import { keyframes } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'

const appear = keyframes({ from: { opacity: 0 }, to: { opacity: 1 } })

/** Loading indicator; appears only after a delay. */
export function LoadingView() {
  const { t } = useTranslation()
  return (
    <Box sx={{ display: 'grid', placeItems: 'center', minHeight: '60dvh', animation: `${appear} 200ms 250ms both` }}>
      <CircularProgress size={32} aria-label={t('states.loading')} />
    </Box>
  )
}
