import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import Fade from '@mui/material/Fade'

/** Appears only when waiting is noticed. */
export function LoadingView() {
  return (
    <Fade in timeout={200} style={{ transitionDelay: '250ms' }}>
      <Box role="status" aria-busy sx={{ display: 'grid', placeItems: 'center', minHeight: '60dvh' }}>
        <CircularProgress size={32} aria-label="…" />
      </Box>
    </Fade>
  )
}
