import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  icon: LucideIcon
  title: string
  children?: ReactNode
  action?: ReactNode
  /** True if the page has no other heading. */
  page?: boolean
}

export function EmptyState({ icon: Icon, title, children, action, page }: Props) {
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', textAlign: 'center', gap: 1, px: 3, py: page ? 10 : 7 }}>
      <Box
        sx={{
          display: 'grid',
          placeItems: 'center',
          width: 64,
          height: 64,
          mb: 1,
          borderRadius: '50%',
          bgcolor: 'action.hover',
          color: 'text.secondary',
        }}
      >
        <Icon size={28} strokeWidth={1.5} aria-hidden />
      </Box>
      <Typography variant={page ? 'h1' : 'h3'} component={page ? 'h1' : 'p'} tabIndex={page ? -1 : undefined}>
        {title}
      </Typography>
      {children && (
        <Typography variant="body2" color="textSecondary" sx={{ maxWidth: 460, textWrap: 'pretty' }}>
          {children}
        </Typography>
      )}
      {action && <Box sx={{ mt: 2, display: 'flex', gap: 1, flexWrap: 'wrap', justifyContent: 'center' }}>{action}</Box>}
    </Box>
  )
}
