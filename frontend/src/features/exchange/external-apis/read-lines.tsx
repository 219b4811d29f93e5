import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import type { ExternalApiTest } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'

/** The lines that were read of a test's answer; none once they are read in another way. */
export function ReadLines({ test: { lines, line_count }, isOutdated }: { test: ExternalApiTest; isOutdated: boolean }) {
  const { t } = useTranslation('externalApis')
  const { decimal } = useFormat()
  const symbol = useUnitSymbols()
  return (
    <Box component="section" aria-label={t('lines.title')} sx={{ minWidth: 0 }}>
      <Typography variant="h3" sx={{ mb: 1 }}>
        {t('lines.title')}
      </Typography>
      <Typography variant="body2" color="textSecondary" role="status" sx={{ mb: 1 }}>
        {isOutdated
          ? t('lines.outdated')
          : line_count > lines.length
            ? t('lines.first', { shown: lines.length, count: line_count })
            : t('lines.count', { count: line_count })}
      </Typography>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.75, overflowWrap: 'anywhere' }}>
        {(isOutdated ? [] : lines).map(({ number, warehouse, quantity, unit, name, gtin, fault }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids and do not move
          <li key={place}>
            <Typography variant="body2">
              {[
                number,
                name,
                gtin,
                warehouse,
                quantity !== null && (unit === null ? decimal(quantity) : `${decimal(quantity)} ${symbol(unit)}`),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Typography>
            {fault && (
              <Typography variant="body2" color="error">
                {fault}
              </Typography>
            )}
          </li>
        ))}
      </Box>
    </Box>
  )
}
