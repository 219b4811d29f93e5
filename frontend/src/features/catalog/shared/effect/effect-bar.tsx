import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import type { ArticleEffect } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'

const PARTS = [
  ['refused', 'error.main'],
  ['changed', 'primary.main'],
  ['unchanged', 'text.disabled'],
] as const

/** Numbers of articles by result of the change, as a bar and in words. */
export function EffectBar({ effect }: { effect: ArticleEffect }) {
  const { t } = useTranslation('effect')
  const format = useFormat()
  const parts = PARTS.filter(([part]) => effect[part] > 0)
  return (
    <div>
      <Box aria-hidden sx={{ display: 'flex', gap: '2px', height: 10, borderRadius: 1, overflow: 'hidden' }}>
        {parts.map(([part, color]) => (
          // keeps rare results visible
          <Box key={part} sx={{ bgcolor: color, flexGrow: effect[part], flexBasis: 0, minWidth: 6 }} />
        ))}
      </Box>
      <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 0.5, listStyle: 'none', m: 0, mt: 1, p: 0 }}>
        {parts.map(([part, color]) => (
          <Box component="li" key={part} sx={{ display: 'flex', alignItems: 'center', gap: 1, typography: 'body2' }}>
            <Box aria-hidden sx={{ width: 10, height: 10, borderRadius: 0.5, bgcolor: color }} />
            {t(`${part}`, { count: effect[part], articles: format.decimal(effect[part]) })}
          </Box>
        ))}
      </Box>
    </div>
  )
}
