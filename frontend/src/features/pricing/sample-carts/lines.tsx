import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import type { SampleCart } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { RecordLink } from '~/features/shared/record-link'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { useConfig } from '~/session/config'

/** Contents of a cart with its buyer and time. */
export function CartLines({ row }: { row: SampleCart }) {
  const { t } = useTranslation('sampleCarts')
  const { decimal, weekdayTime } = useFormat()
  const symbol = useUnitSymbols()
  const { time_zone } = useConfig()
  const when = row.at === null ? t('now') : weekdayTime(row.at, time_zone)
  return (
    <Card title={t('lines', { count: row.lines.length })} intro={t('for', { buyer: row.buyer?.company ?? t('anybody'), when })}>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
        {row.lines.map((line, at) => {
          const unit = line.unit ?? line.article?.listing_unit
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their index alone
            <Box component="li" key={at} sx={{ display: 'grid', gridTemplateColumns: '32px minmax(0, 1fr) auto', columnGap: 1 }}>
              <Box component="span" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
                {at + 1}
              </Box>
              <span>
                <RecordLink record="article" id={line.article_id} {...(line.article && { name: line.article.article_number })} />
                {line.article && (
                  <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
                    {line.article.article_name}
                  </Typography>
                )}
                {line.processings.length > 0 && (
                  <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
                    {t('processed', { count: line.processings.length })}
                  </Typography>
                )}
                {line.errors.map(({ code, message }) => (
                  <FormHelperText key={code} error sx={{ m: 0 }}>
                    {message}
                  </FormHelperText>
                ))}
              </span>
              <Box component="span" sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
                {decimal(line.quantity)}
                {'\u00a0'}
                {unit && symbol(unit)}
              </Box>
            </Box>
          )
        })}
      </Box>
    </Card>
  )
}
