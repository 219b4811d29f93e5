import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { $api } from '~/api/client'
import { queryClient } from '~/api/query'
import type { HeldPrice, HeldPriceDecision, Price } from '~/api/schema'
import { OtherPrices, PriceLines } from '~/features/pricing/held-prices/price-lines'
import { useDecide } from '~/features/pricing/held-prices/use-decide'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { prices } from './api'

interface Props {
  row: Price
  readOnly: boolean
  onClose: () => void
  /** Called with the row after a decision. */
  onDecided: (row: Price) => void
}

const heldPricesOfStock = (id: number) =>
  $api.queryOptions('get', '/api/admin/held-prices', { params: { query: { filter: { 'filter[stock_id]': [id] } } } })

/**
 * Dialog in which the prices under review of a row are released or refused; a corrected price is entered in
 * the row.
 */
export default function HeldDialog({ row, readOnly, onClose, onDecided }: Props) {
  const { t } = useTranslation(['prices', 'heldPrices', 'common'])
  const { data, error, refetch, isFetching } = useQuery({ ...heldPricesOfStock(row.id), refetchOnMount: 'always' })
  const decide = useDecide()
  async function run(heldPrice: HeldPrice, decision: HeldPriceDecision) {
    await decide(heldPrice, decision)
    const now = await queryClient.fetchQuery({ ...prices.one(row.id), staleTime: 0 }).catch(() => null)
    if (now) onDecided(now)
    if (now && !now.held) onClose()
    else void refetch()
  }
  return (
    <DialogFrame
      title={t('prices:sheet.held')}
      description={`${row.article.article_number} · ${row.article.article_name}, ${row.warehouse.short_code}`}
      maxWidth="md"
      onClose={onClose}
      actions={
        <Button color="inherit" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      }
    >
      {error ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : !data ? (
        <Waiting />
      ) : (
        <Box sx={{ display: 'grid', gap: 2.5 }}>
          {data.data.map((heldPrice) => (
            <Box key={heldPrice.id} sx={{ display: 'grid', gap: 1 }}>
              <PriceLines before={heldPrice.current} after={heldPrice.wanted} />
              <OtherPrices row={heldPrice} />
              <Box component="ul" sx={{ m: 0, pl: 2.5, typography: 'body2' }}>
                {heldPrice.reasons.map(({ field, message }) => (
                  <li key={`${field} ${message}`}>{message}</li>
                ))}
              </Box>
              {!readOnly && (
                <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
                  <Button variant="contained" size="small" onClick={() => void run(heldPrice, 'release')}>
                    {t('heldPrices:decide.release.action')}
                  </Button>
                  {heldPrice.mended && (
                    <Button variant="outlined" size="small" onClick={() => void run(heldPrice, 'release_mended')}>
                      {t('heldPrices:decide.release_mended.action')}
                    </Button>
                  )}
                  <Button variant="outlined" color="error" size="small" onClick={() => void run(heldPrice, 'refuse')}>
                    {t('heldPrices:decide.refuse.action')}
                  </Button>
                </Box>
              )}
            </Box>
          ))}
          {!readOnly && <Box sx={{ typography: 'body2', color: 'text.secondary' }}>{t('prices:sheet.correct')}</Box>}
        </Box>
      )}
    </DialogFrame>
  )
}
