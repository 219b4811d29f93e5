import { styled } from '@mui/material/styles'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const ICONS = { error: CircleAlert, warning: TriangleAlert, info: Info }
type Tone = keyof typeof ICONS

const Frame = styled('div', { shouldForwardProp: (name) => name !== 'tone' && name !== 'strip' })<{ tone: Tone; strip: boolean }>(
  ({ theme, tone, strip }) => {
    const { palette } = theme.vars ?? theme
    return {
      ...theme.typography.body2,
      display: 'flex',
      gap: 10,
      padding: '10px 14px',
      borderRadius: 8,
      border: `1px solid ${palette[tone].main}`,
      '& svg': { flexShrink: 0, marginTop: 1, color: palette[tone].main },
      ...(strip && {
        alignItems: 'center',
        flexShrink: 0,
        padding: '4px 16px',
        borderRadius: 0,
        borderWidth: '1px 0',
        backgroundColor: palette.background.paper,
        color: palette.text.primary,
        '& button': { flexShrink: 0 },
      }),
    }
  },
)

interface Props {
  tone: Tone
  /** True for a strip from edge to edge, which concerns everything below it. */
  strip?: boolean
  action?: ReactNode
  children: ReactNode
}

/** Message above a form or a page; lighter than an Alert, for the pages before sign-in. */
export function Notice({ tone, strip = false, action, children }: Props) {
  const Icon = ICONS[tone]
  return (
    <Frame tone={tone} strip={strip} role={strip ? 'status' : 'alert'}>
      <Icon size={18} aria-hidden />
      <div>{children}</div>
      {action}
    </Frame>
  )
}
