import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import type { ExternalApiTest, Unit } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import type { ReadEntry, readEntries } from './answer'

/** Lines that the server read from the response of a test. */
export function TestedLines({ test: { lines, line_count: count } }: { test: ExternalApiTest }) {
  const { t } = useTranslation('externalApis')
  const { decimal } = useFormat()
  const symbol = useUnitSymbols()
  const amount = (quantity: string, unit: Unit | null) => (unit === null ? decimal(quantity) : `${decimal(quantity)} ${symbol(unit)}`)
  const texts = lines.map(({ number, name, gtin, warehouse, quantity, unit, fault }) => ({
    values: [number, name, gtin, warehouse, quantity && amount(quantity, unit)],
    fault,
  }))
  return (
    <Lines status={count > lines.length ? t('lines.first', { shown: lines.length, count }) : t('lines.count', { count })} lines={texts} />
  )
}

interface PreviewProps {
  read: ReturnType<typeof readEntries>
  /** Value that every entry must have. */
  requiredField: 'quantity' | 'number'
  isMapped: boolean
}

/** Lines of the shown response, read with pointers that have not been tested yet. */
export function PreviewedLines({ read, requiredField, isMapped }: PreviewProps) {
  const { t } = useTranslation('externalApis')
  if (!isMapped) return <Lines status={t('lines.pointFirst', { field: t(`fields.${requiredField}`) })} />
  if (!read) return <Lines status={t('lines.noList')} />
  const { entries, count } = read
  const texts = entries.map(({ number, article_number, name, gtin, warehouse, quantity, unit, ...rest }: ReadEntry) => ({
    values: [number, article_number, name, gtin, warehouse, [quantity, unit].filter(Boolean).join(' ')],
    fault: { number, quantity, ...rest }[requiredField] ? null : t('lines.missing', { field: t(`fields.${requiredField}`) }),
  }))
  return <Lines status={t('lines.preview', { count })} lines={texts} />
}

interface LinesProps {
  status: string
  lines?: readonly { values: readonly (string | null | undefined)[]; fault: string | null }[]
}

function Lines({ status, lines = [] }: LinesProps) {
  const { t } = useTranslation('externalApis')
  return (
    <Box component="section" aria-label={t('lines.title')} sx={{ minWidth: 0 }}>
      <Typography variant="h3" sx={{ mb: 1 }}>
        {t('lines.title')}
      </Typography>
      <Typography variant="body2" color="textSecondary" role="status" sx={{ mb: 1 }}>
        {status}
      </Typography>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.75, overflowWrap: 'anywhere' }}>
        {lines.map(({ values, fault }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids and do not move
          <li key={place}>
            <Typography variant="body2">{values.filter(Boolean).join(' · ')}</Typography>
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
