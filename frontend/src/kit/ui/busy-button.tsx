import Button, { type ButtonProps } from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'

interface Props extends Omit<ButtonProps, 'loading' | 'type'> {
  busy: boolean
}

/** A button that stays where it is and says that it is at work. It keeps the focus: a disabled one would lose it, and Escape with it. */
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
