import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { type ReactNode, useEffect, useRef } from 'react'
import { useDocumentTitle } from './document-title'

// the first page after loading does not take the focus
let first = true

interface Props {
  title: string
  /** Part of the page that is shown, for the document's title. */
  part?: string | undefined
  intro?: string
  actions?: ReactNode
  /** True if the content takes the remaining height and scrolls inside. */
  fill?: boolean
  children: ReactNode
}

/** Page within the shell: heading with actions, then the content. Takes the focus after a navigation. */
export function Page({ title, part, intro, actions, fill, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(part ? `${part} · ${title}` : title)
  useEffect(() => {
    if (!first) heading.current?.focus({ preventScroll: true })
    first = false
  }, [])
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        gap: 2,
        px: { xs: 2, md: 3, lg: 4 },
        pt: { xs: 1, md: 1.5 },
        pb: { xs: 2, md: 3 },
        // in a low window the page scrolls before its content becomes too small
        minHeight: fill ? { md: 440 } : 0,
        ...(fill && { height: { md: '100%' } }),
        '@media print': { height: 'auto', minHeight: 0, p: 0 },
      }}
    >
      <Stack direction="row" useFlexGap sx={{ alignItems: 'flex-end', flexWrap: 'wrap', gap: 1.5 }}>
        {/* with less room the actions wrap below the heading before a word is broken */}
        <Box sx={{ flex: '1 1 11rem', minWidth: 0 }}>
          <Typography variant="h1" ref={heading} tabIndex={-1} sx={{ '&:focus': { outline: 'none' }, overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {intro && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, maxWidth: 720, textWrap: 'pretty' }}>
              {intro}
            </Typography>
          )}
        </Box>
        {actions && (
          <Stack direction="row" useFlexGap data-print="none" sx={{ flexWrap: 'wrap', gap: 1 }}>
            {actions}
          </Stack>
        )}
      </Stack>
      {children}
    </Box>
  )
}
