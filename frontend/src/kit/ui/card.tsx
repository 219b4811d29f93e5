import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  intro?: string
  /** Content beside the title. */
  action?: ReactNode
  children: ReactNode
}

/** Section of a page. */
export function Card({ title, intro, action, children }: Props) {
  const id = useId()
  return (
    <Paper
      component="section"
      variant="outlined"
      aria-labelledby={id}
      sx={{ p: { xs: 2, md: 3 }, minWidth: 0, '--ground': (theme) => (theme.vars ?? theme).palette.background.paper }}
    >
      <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center', gap: 2 }}>
        <Typography variant="h2" id={id}>
          {title}
        </Typography>
        {action}
      </Stack>
      {intro && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, textWrap: 'pretty' }}>
          {intro}
        </Typography>
      )}
      <Box sx={{ mt: 2.5 }}>{children}</Box>
    </Paper>
  )
}
