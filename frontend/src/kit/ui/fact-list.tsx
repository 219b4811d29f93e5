import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

interface Props {
  /** Labels with their values; those without a value are left out. */
  facts: readonly (readonly [string, ReactNode])[]
  rowGap?: number
}

/** Facts about a record, each with its label. */
export function FactList({ facts, rowGap = 0.5 }: Props) {
  return (
    <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 3, rowGap, m: 0, typography: 'body2' }}>
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <Box key={label} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {label}
            </Box>
            <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
              {value}
            </Box>
          </Box>
        ))}
    </Box>
  )
}
