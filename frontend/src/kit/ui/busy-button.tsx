import Button, { type ButtonProps } from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'

interface Props extends Omit<ButtonProps, 'loading' | 'type'> {
  busy: boolean
}

/**
 * Button that shows a running action in place. It stays focusable: a disabled button would lose the focus,
 * and Escape with it.
 */
export function BusyButton({ busy, startIcon, onClick, ...props }: Props) {
  return (
    <Button
      {...props}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      startIcon={busy ? <CircularProgress size={16} color="inherit" aria-hidden /> : startIcon}
      onClick={busy ? undefined : onClick}
    />
  )
}
