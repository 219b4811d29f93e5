import { styled } from '@mui/material/styles'
import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'

const Frame = styled('div', { shouldForwardProp: (name) => name !== 'tone' })<{ tone: 'error' | 'info' }>(({ theme, tone }) => {
  const { palette } = theme.vars ?? theme
  return {
    ...theme.typography.body2,
    display: 'flex',
    gap: 10,
    padding: '10px 14px',
    borderRadius: 8,
    border: `1px solid ${palette[tone].main}`,
    '& svg': { flexShrink: 0, marginTop: 1, color: palette[tone].main },
  }
})

/** A message above a form; lighter than an Alert, for the pages before sign-in. */
export function Notice({ tone, children }: { tone: 'error' | 'info'; children: ReactNode }) {
  const Icon = tone === 'error' ? CircleAlert : Info
  return (
    <Frame tone={tone} role="alert">
      <Icon size={18} aria-hidden />
      <div>{children}</div>
    </Frame>
  )
}
