import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StockSum } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import type { ListState } from '~/kit/table/list-state'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { product } from '~/lib/decimal'
import { stocks } from './api'

const PAGE = 20

/** Sums of all stocks that match the filters, by warehouse and by article. */
export default function SumsDialog({ state, onClose }: { state: ListState; onClose: () => void }) {
  const { t } = useTranslation('stocks')
  const { t: common } = useTranslation()
  const [page, setPage] = useState(1)
  const query = useQuery({ ...stocks.sums({ ...state, sort: null, page, size: PAGE }), placeholderData: keepPreviousData })
  const { data, error, refetch, isFetching } = query
  return (
    <DialogFrame
      title={t(state.filters.length > 0 ? 'sums.titleFiltered' : 'sums.title')}
      maxWidth="md"
      fullScreenOnPhone
      onClose={onClose}
      actions={<Button onClick={onClose}>{common('actions.close')}</Button>}
    >
      {error && !data ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : !data ? (
        <Waiting />
      ) : (
        <Box sx={{ display: 'grid', gap: 3 }}>
          <Total sum={data.total} />
          {data.total.stocks > 0 && (
            <>
              <Box>
                <Sums label={t('sums.byWarehouse')} first={t('fields.warehouse_id')}>
                  {data.warehouses.map(({ warehouse, sum }) => (
                    <SumRow key={warehouse.id} name={warehouse.short_code} sum={sum} />
                  ))}
                </Sums>
              </Box>
              <Box>
                <Sums label={t('sums.byArticle')} first={t('fields.article_id')} quantity>
                  {data.articles.map(({ article, quantity, quantity_unit, sum }) => (
                    <SumRow
                      key={article.id}
                      name={
                        <>
                          {article.article_number}
                          <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
                            {article.article_name}
                          </Typography>
                        </>
                      }
                      quantity={<Quantity amount={quantity} unit={quantity_unit} />}
                      sum={sum}
                    />
                  ))}
                </Sums>
                <Pages page={page} total={data.articles_total} onPage={setPage} />
              </Box>
            </>
          )}
        </Box>
      )}
    </DialogFrame>
  )
}

function Quantity({ amount, unit }: { amount: string; unit: Parameters<ReturnType<typeof useUnitSymbols>>[0] }) {
  const symbol = useUnitSymbols()
  return `${useFormat().decimal(amount)} ${symbol(unit)}`
}

/** Total, and the number of stocks that are not included in it. */
function Total({ sum }: { sum: StockSum }) {
  const { t } = useTranslation('stocks')
  const format = useFormat()
  const missing = (['without_quantity', 'without_weight', 'without_pieces'] as const).filter((figure) => sum[figure] > 0)
  return (
    <Box>
      <Typography sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
        {[
          t('sums.stocks', { count: sum.stocks, total: format.decimal(sum.stocks) }),
          t('sums.pieces', { pieces: format.decimal(sum.pieces, 3) }),
          t('sums.tonnes', { tonnes: format.decimal(product(sum.weight, '0.001')) }),
        ].join(' · ')}
      </Typography>
      {missing.map((figure) => (
        <Typography key={figure} variant="body2" color="textSecondary">
          {t(`sums.${figure}`, { count: sum[figure], total: format.decimal(sum[figure]) })}
        </Typography>
      ))}
    </Box>
  )
}

const NUMBER = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const

function Sums({ label, first, quantity, children }: { label: string; first: string; quantity?: boolean; children: ReactNode }) {
  const { t } = useTranslation('stocks')
  const heads = [t('sums.count'), ...(quantity ? [t('fields.quantity')] : []), t('sums.piecesHead'), t('fields.weight_t')]
  return (
    <>
      <Typography component="h3" variant="subtitle1" sx={{ fontWeight: 600 }}>
        {label}
      </Typography>
      {/* the table scrolls on its own on a phone, so it must be reachable by keyboard */}
      <TableContainer tabIndex={0} role="group" aria-label={label}>
        <Table size="small" aria-label={label}>
          <TableHead>
            <TableRow>
              <TableCell>{first}</TableCell>
              {heads.map((head) => (
                <TableCell key={head} align="right">
                  {head}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>{children}</TableBody>
        </Table>
      </TableContainer>
    </>
  )
}

function SumRow({ name, quantity, sum }: { name: ReactNode; quantity?: ReactNode; sum: StockSum }) {
  const format = useFormat()
  const figures = [
    { id: 'stocks', text: format.decimal(sum.stocks) },
    ...(quantity ? [{ id: 'quantity', text: quantity }] : []),
    { id: 'pieces', text: format.decimal(sum.pieces, 3) },
    { id: 'weight', text: format.decimal(product(sum.weight, '0.001')) },
  ]
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {name}
      </TableCell>
      {figures.map(({ id, text }) => (
        <TableCell key={id} align="right" sx={NUMBER}>
          {text}
        </TableCell>
      ))}
    </TableRow>
  )
}

function Pages({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const last = Math.max(1, Math.ceil(total / PAGE))
  if (last === 1) return null
  const range = {
    from: format.decimal((page - 1) * PAGE + 1),
    to: format.decimal(Math.min(page * PAGE, total)),
    total: format.decimal(total),
  }
  return (
    <Box component="nav" aria-label={t('list.pages')} sx={{ display: 'flex', alignItems: 'center', gap: 1, pt: 1 }}>
      <Typography variant="body2" color="textSecondary" aria-live="polite" sx={{ flex: 1 }}>
        {t('list.range', range)}
      </Typography>
      <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('list.previous')}
      </Button>
      <Button size="small" disabled={page >= last} onClick={() => onPage(page + 1)}>
        {t('list.next')}
      </Button>
    </Box>
  )
}
