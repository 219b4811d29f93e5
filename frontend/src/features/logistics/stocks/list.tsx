import Box from '@mui/material/Box'
import { CircleHelp } from 'lucide-react'
import { type ReactNode, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Money, Stock } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { articleThumbnail } from '~/features/catalog/articles/ref'
import { useWhyPrice } from '~/features/pricing/price-calculator/ref'
import { useDelivers } from '~/features/shared/destination/use-destination'
import { ImportButton } from '~/features/shared/import-button'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { ResourceList } from '~/kit/records/resource-list'
import { Aligned } from '~/kit/table/aligned'
import { columns } from '~/kit/table/columns'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { Thumbnail } from '~/kit/ui/thumbnail'
import { product } from '~/lib/decimal'
import { formatLeadTime } from '~/lib/duration'
import { useCan } from '~/session/me'
import { quantityKnownAt } from './age'
import { AgeLight } from './age-light'
import { stocks } from './api'
import { stock } from './resource'
import { SumsButton } from './sums-button'

/**
 * Quantity of a stock; one that only the tenant's own system knows shows its last answer with its age. In a
 * table, decimal points are aligned, and units have a column of their own.
 */
function Quantity({ row: { availability_type, quantity, quantity_unit, last_known } }: { row: Stock }) {
  const { t } = useTranslation('stocks')
  const labels = useLabels('stocks')
  const { ago } = useFormat()
  const symbol = useUnitSymbols()
  const amount = quantity ?? last_known?.quantity ?? null
  if (amount === null) return labels.enum('availability_type', availability_type)
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      <Aligned value={amount} fraction={3} />
      <Box component="span" sx={{ display: 'inline-block', minWidth: { md: '2.5em' }, pl: '0.3em', textAlign: 'start' }}>
        {symbol(quantity_unit)}
      </Box>
      {last_known && (
        <Box component="span" sx={{ display: 'block', typography: 'caption', color: 'text.secondary' }}>
          {t('live.lastKnownAgo', { ago: ago(last_known.as_of) })}
        </Box>
      )}
    </Box>
  )
}

const QuantityAge = ({ since }: { since: string | null }) => since !== null && <AgeLight since={since} />

const sides = ({ length, width, height }: Stock) => [length, width, height].filter((side) => side !== null)
const isRemnant = (row: Stock) => sides(row).length > 0

/** Formats the dimensions of a remnant: `2.500 × 1.000 mm`. */
function useSizeText() {
  const { decimal } = useFormat()
  return (row: Stock) =>
    `${sides(row)
      .map((side) => decimal(side))
      .join(' × ')} mm`
}

/** Weight of the quantity, for an article with a weight. */
function Weight({ row: { weight }, unit }: { row: Stock; unit: 'kg' | 't' }) {
  if (weight === null) return null
  return <Aligned value={unit === 't' ? product(weight, '0.001') : weight} fraction={3} />
}

const LeadTime = ({ minutes }: { minutes: number }) => formatLeadTime(minutes, useFormat().lang)

const DestinationField = lazyWithTexts(() => import('~/features/shared/destination/destination-field'), 'destination')
const StockDate = lazyWithTexts(() => import('./stock-date'), 'destination')

/** Wrapper for lazy components. */
const Suspended = ({ element }: { element: ReactNode }) => <Suspense fallback={null}>{element}</Suspense>

const Price = ({ money }: { money: Money }) => useMoneyText()(money)

/** Name of the article, for a remnant with its dimensions. */
function ArticleName({ row }: { row: Stock }) {
  const { t } = useTranslation('stocks')
  const size = useSizeText()(row)
  if (!isRemnant(row)) return row.article.article_name
  return (
    <>
      {row.article.article_name}
      <Box component="span" sx={{ display: 'block', typography: 'caption', color: 'text.secondary' }}>
        {t('remnant', { size })}
      </Box>
    </>
  )
}

/** Option of columns that cards on a phone show, too. */
const CARD = { card: 'chosen' } as const

const col = columns<Stock>('stocks')
const COLUMNS = [
  col.custom('article_number', (row) => row.article.article_number),
  col.custom('article_name', (row) => <ArticleName row={row} />, { ...CARD, noWrap: true }),
  col.text('external_article_number', { optional: true }),
  col.custom('warehouse_id', (row) => row.warehouse.short_code, CARD),
  col.enum('availability_type', { optional: true, noWrap: true }),
  col.custom('quantity', (row) => <Quantity row={row} />, { ...CARD, align: 'right', noWrap: true }),
  col.custom('weight_kg', (row) => <Weight row={row} unit="kg" />, { optional: true, align: 'right', noWrap: true }),
  col.custom('weight_t', (row) => <Weight row={row} unit="t" />, { align: 'right', noWrap: true, card: false }),
  col.custom('quantity_age', (row) => <QuantityAge since={quantityKnownAt(row)} />, { ...CARD, sort: 'updated_at' }),
  col.custom('lead_time', (row) => row.lead_time !== null && <LeadTime minutes={row.lead_time} />, { align: 'right', card: false }),
  col.custom('delivery_date', (row) => <Suspended element={<StockDate row={row} />} />, {
    card: 'chosen',
    optional: true,
    noWrap: true,
    controls: <Suspended element={<DestinationField inline />} />,
  }),
  col.decimal('length', { optional: true }),
  col.decimal('width', { optional: true }),
  col.custom('external_price', (row) => row.external_price && <Price money={row.external_price} />, {
    ...CARD,
    align: 'right',
    noWrap: true,
  }),
  col.custom('price_age', (row) => row.price_updated_at && <AgeLight since={row.price_updated_at} />),
  {
    ...col.custom('image', ({ article, image }) => image && <Thumbnail picture={articleThumbnail(article.id, image)} />, {
      optional: true,
      width: 72,
    }),
    sort: null,
  },
]
const PRICES = ['external_price', 'price_age']
const DATES = ['delivery_date']

export default function StockList() {
  const { t } = useTranslation('stocks')
  const seesPrices = useCan('listing.list', 'listing.view')
  const delivers = useDelivers()
  const whyPrice = useWhyPrice()
  const navigate = useNavigate()
  const explain = ({ article, warehouse }: Stock) =>
    whyPrice && void navigate(whyPrice({ article: article.id, unit: article.listing_unit, warehouse: warehouse.id }))
  const visibleColumns = useMemo(() => {
    const hidden = [...(seesPrices ? [] : PRICES), ...(delivers ? [] : DATES)]
    return COLUMNS.filter(({ id }) => !hidden.includes(id))
  }, [seesPrices, delivers])
  return (
    <ResourceList
      resource={stock}
      api={stocks}
      columns={visibleColumns}
      // prices of remnants are negotiated
      rowActions={(row) => (whyPrice && !isRemnant(row) ? [{ label: t('whyPrice'), icon: CircleHelp, onClick: () => explain(row) }] : [])}
      actions={<SumsButton />}
      importer={<ImportButton type="Stock" />}
      copyable
    />
  )
}
