import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'

/** What takes its time, in words, as long as nobody knows how long. */
export function Working({ children }: { children: string }) {
  return (
    <Box role="status">
      <LinearProgress aria-hidden sx={{ borderRadius: 2 }} />
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {children}
      </Typography>
    </Box>
  )
}
