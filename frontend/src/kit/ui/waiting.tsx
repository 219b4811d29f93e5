import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'

export const Waiting = () => (
  <Stack spacing={2} aria-busy>
    <Skeleton width="40%" />
    <Skeleton variant="rounded" height={320} />
  </Stack>
)
