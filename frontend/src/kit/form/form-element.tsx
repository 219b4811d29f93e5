import Box from '@mui/material/Box'
import type { SxProps, Theme } from '@mui/material/styles'
import type { FormEvent, KeyboardEvent, ReactNode } from 'react'

interface Props {
  /** Submit handler; absent while there is nothing to submit. */
  onSubmit: (() => void) | undefined
  pending: boolean
  sx?: SxProps<Theme>
  children: ReactNode
}

/**
 * Form that is submitted by its button, by Enter in a field, and by Ctrl+Enter anywhere in it; never twice
 * at the same time.
 */
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
