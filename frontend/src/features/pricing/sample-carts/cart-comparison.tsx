import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { SampleCart } from '~/api/schema'
import { useEuro } from '~/features/shared/money/use-euro'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { LoadFailed } from '~/kit/ui/load-failed'
import { sampleCarts } from './api'
import { CartChanges } from './cart-changes'
import { differenceOf } from './difference-of'

const NONE = '\u2013'

/** Total of a cart compared with the expected one, with the reasons for the difference. */
export function CartComparison({ row }: { row: SampleCart }) {
  const { t } = useTranslation('sampleCarts')
  const euro = useEuro()
  const figures = [
    [t('fields.expected_total'), row.expected_total === null ? NONE : euro(row.expected_total)],
    [t('fields.total'), row.total === null ? NONE : euro(row.total)],
    ...(row.total !== null && row.expected_total !== null && row.total !== row.expected_total
      ? [[t('fields.difference'), euro(differenceOf(row.total, row.expected_total), { signed: true })]]
      : []),
  ]
  return (
    <Card title={t(`outcome.${row.state}`)}>
      <Box component="dl" sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: 5, rowGap: 1.5 }}>
        {figures.map(([label, amount]) => (
          <div key={label}>
            <Typography component="dt" variant="body2" color="textSecondary">
              {label}
            </Typography>
            <Typography component="dd" variant="h2" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
              {amount}
            </Typography>
          </div>
        ))}
      </Box>
      {row.state !== 'as_expected' && <DifferenceReasons row={row} />}
    </Card>
  )
}

function DifferenceReasons({ row }: { row: SampleCart }) {
  const { t } = useTranslation('sampleCarts')
  const { dateTime } = useFormat()
  const { data, error, refetch, isFetching } = useQuery(sampleCarts.difference(row.id))
  if (!data) return error ? <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} /> : <Skeleton height={120} />
  return (
    <Box sx={{ mt: 2.5 }}>
      <Typography variant="h3" sx={{ mb: 1 }}>
        {t('changes.title', { since: dateTime(data.since) })}
      </Typography>
      <CartChanges difference={data} cart={row} />
    </Box>
  )
}
