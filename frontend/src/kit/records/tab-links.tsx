import Box from '@mui/material/Box'
import { styled } from '@mui/material/styles'
import { Link, useLocation } from 'react-router'
import type { Crumb } from '~/kit/ui/crumbs'
import { keepTenant } from '~/session/tenant'

/** Tabs of a page. Each has an address, so they are links. */
export function TabLinks({ label, tabs, current }: { label: string; tabs: readonly Crumb[]; current: string }) {
  const { search } = useLocation()
  return (
    <Box component="nav" aria-label={label} data-print="none" sx={{ borderBottom: 1, borderColor: 'divider', overflowX: 'auto' }}>
      <Box component="ul" sx={{ display: 'flex', gap: 0.5, m: 0, p: 0, listStyle: 'none', width: 'max-content' }}>
        {tabs.map(({ path, text }) => (
          <li key={path}>
            <TabLink to={{ pathname: path, search: keepTenant(search) }} aria-current={path === current ? 'page' : undefined}>
              {text}
            </TabLink>
          </li>
        ))}
      </Box>
    </Box>
  )
}

const TabLink = styled(Link)(({ theme }) => ({
  ...theme.typography.button,
  display: 'block',
  padding: theme.spacing(1.25, 1.5),
  color: theme.vars?.palette.text.secondary,
  textDecoration: 'none',
  borderBottom: '2px solid transparent',
  '&:hover': { color: theme.vars?.palette.text.primary },
  '&:focus-visible': { outlineOffset: -2 },
  '&[aria-current]': { color: theme.vars?.palette.primary.main, borderBottomColor: theme.vars?.palette.primary.main },
}))
