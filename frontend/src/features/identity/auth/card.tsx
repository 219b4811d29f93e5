import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

export function Heading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div>
      <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </Typography>
      <Typography variant="body2" color="textSecondary" component="div" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
        {children}
      </Typography>
    </div>
  )
}

interface Props {
  title: string
  email?: string
  children: ReactNode
  /** Actions besides signing in. */
  actions?: ReactNode
}

/** Final state of a page, success or failure; signing in is the next step. */
export function FinalMessage({ title, email, children, actions }: Props) {
  const { t } = useTranslation('auth')
  return (
    <Stack spacing={3} role="status">
      <Heading title={title}>{children}</Heading>
      <Stack spacing={1.5}>
        {actions}
        <Button
          component={Link}
          to="/login"
          state={email ? { email } : null}
          variant={actions ? 'text' : 'contained'}
          size="large"
          fullWidth
        >
          {t('verification.toSignIn')}
        </Button>
      </Stack>
    </Stack>
  )
}

export function Loading() {
  return (
    <Stack spacing={2} aria-busy>
      <Skeleton width="70%" height={32} />
      <Skeleton width="90%" />
      <Skeleton variant="rounded" height={40} />
      <Skeleton variant="rounded" height={40} />
    </Stack>
  )
}
