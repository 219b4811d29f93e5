import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'

/** Text for work of unknown duration. */
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
