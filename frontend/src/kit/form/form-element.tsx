import Box from '@mui/material/Box'
import type { SxProps, Theme } from '@mui/material/styles'
import type { FormEvent, KeyboardEvent, ReactNode } from 'react'

interface Props {
  /** Absent while there is nothing to send. */
  onSubmit: (() => void) | undefined
  pending: boolean
  sx?: SxProps<Theme>
  children: ReactNode
}

/** A form that is sent by its button, by Enter in a field, and by Ctrl+Enter from anywhere in it; once at a time. */
export function FormElement({ onSubmit, pending, sx = {}, children }: Props) {
  const send = () => {
    if (!pending) onSubmit?.()
  }
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        event.stopPropagation()
        send()
      }}
      onKeyDown={(event: KeyboardEvent<HTMLFormElement>) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        send()
      }}
      sx={sx}
    >
      {children}
    </Box>
  )
}
