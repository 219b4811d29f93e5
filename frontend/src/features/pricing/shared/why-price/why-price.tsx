import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceExplanation, Quantity, QuoteExplanation, QuoteItem, QuoteLine, QuoteLineExplanation } from '~/api/schema'
import { RecordLink } from '~/features/shared/record-link'
import { barsOf, type PriceBar } from './bars'
import { LeftOut, Sources } from './considered'
import { TableValue } from './table-value'
import { useSentences } from './use-sentences'
import { Waterfall } from './waterfall'

interface Props {
  /** Line that was quoted with its explanation; a rejected one has no items. */
  line: QuoteLine & { explanation: QuoteLineExplanation }
  /** Requested quantity. */
  quantity: Quantity
  /** Explanation of the cart, with lists and adjustments that did not apply to it at all. */
  cart?: QuoteExplanation | null
}

/** Styles of columns that small screens hide, since the chart shows the same. */
const FROM_SM = { display: { xs: 'none', sm: 'table-cell' } }

/** Explanation of the price of a quoted line, or of why it has none. */
export default function WhyPrice({ line, quantity, cart = null }: Props) {
  const { t } = useTranslation('whyPrice')
  return (
    <Box sx={{ display: 'grid', gap: 2.5, minWidth: 0 }}>
      <Box>
        {line.article && (
          <Typography sx={{ mb: 1.5, fontWeight: 550 }}>
            <RecordLink record="article" id={line.article.id} name={`${line.article.article_number} · ${line.article.article_name}`} />
          </Typography>
        )}
        {line.items.length > 0 ? (
          <Steps line={line} quantity={quantity} />
        ) : (
          line.errors.map(({ code, message }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several may have the same code
            <Typography key={`${code} ${at}`}>{message}</Typography>
          ))
        )}
      </Box>
      <Part title={t('sources.title')}>
        <Sources explanation={line.explanation} />
      </Part>
      <LeftOut items={line.items} cart={cart} />
    </Box>
  )
}

/** Steps of a price, as a chart and in words. */
function Steps({ line, quantity }: Pick<Props, 'line' | 'quantity'>) {
  const { t } = useTranslation('whyPrice')
  const sentences = useSentences()
  const bars = barsOf(line.items)
  const { price, internal_price } = line.explanation
  const labelOf = (bar: PriceBar) => {
    if (bar.step) return bar.step.name
    if (bar.item) return t(bar.item.type === 'processing' ? 'bar.processing' : 'bar.base')
    return t(bar.kind === 'rounding' ? 'bar.rounding' : 'bar.total')
  }
  return (
    <>
      <Waterfall
        bars={bars}
        label={labelOf}
        amount={({ kind, amount }) => (kind === 'base' || kind === 'total' ? sentences.euro(amount) : sentences.signed(amount))}
        cost={line.internal === null ? null : { at: line.internal, text: t('bar.cost', { amount: sentences.euro(line.internal) }) }}
      />
      <Table size="small" aria-label={t('steps')} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
        <TableHead>
          <TableRow>
            <TableCell>{t('heads.step')}</TableCell>
            <TableCell align="right">{t('heads.amount')}</TableCell>
            <TableCell align="right" sx={FROM_SM}>
              {t('heads.after')}
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {price && <PriceRows price={price} lists={line.explanation.lists} />}
          {bars.map((bar) => (
            <Row
              key={bar.key}
              strong={bar.kind === 'total'}
              label={bar.step ? <RecordLink record="price_adjustment" id={bar.step.adjustment_id} name={bar.step.name} /> : labelOf(bar)}
              amount={bar.kind === 'total' || bar.kind === 'base' ? sentences.euro(bar.amount) : sentences.signed(bar.amount)}
              after={bar.kind === 'total' ? '' : sentences.euro(bar.to)}
            >
              <Sentence bar={bar} line={line} quantity={quantity} />
            </Row>
          ))}
          {internal_price && (
            <Row label={t('cost.title')} amount={sentences.euro(internal_price.amount)} after="">
              {sentences.margin(internal_price, line.margin)} <Source price={internal_price} lists={[]} />
            </Row>
          )}
        </TableBody>
      </Table>
    </>
  )
}

/** Price that was used, and the requested quantity in its unit. */
function PriceRows({ price, lists }: { price: PriceExplanation; lists: QuoteLineExplanation['lists'] }) {
  const { t } = useTranslation('whyPrice')
  const sentences = useSentences()
  return (
    <>
      <Row label={t('price.title')}>
        {sentences.price(price)} <Source price={price} lists={lists} />
      </Row>
      {price.conversions.map((conversion) => (
        <Row key={conversion.to_unit} label={t('conversion.title')}>
          {sentences.conversion(conversion)}
        </Row>
      ))}
    </>
  )
}

/** Link to the source of a price. */
function Source({ price, lists }: { price: PriceExplanation; lists: QuoteLineExplanation['lists'] }) {
  const list = lists.find((one) => one.id === price.list_id)
  const [record, id] = price.list_id === null ? (['stock', price.stock_id] as const) : (['price_list', price.list_id] as const)
  return id !== null && <SourceLink record={record} id={id} name={list?.name} linked={list?.valid_from !== null} />
}

interface SourceLinkProps {
  record: string
  id: number
  name?: string | undefined
  /** False for a list that the customer does not see yet. */
  linked?: boolean
}

function SourceLink({ record, id, name, linked = true }: SourceLinkProps) {
  const { t } = useTranslation('whyPrice')
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {t('price.from')} {linked ? <RecordLink record={record} id={id} name={name} /> : name}
    </Box>
  )
}

function Sentence({ bar, line, quantity }: { bar: PriceBar } & Pick<Props, 'line' | 'quantity'>) {
  const { t } = useTranslation('whyPrice')
  const sentences = useSentences()
  if (bar.step)
    return (
      <>
        {sentences.step(bar.step)}
        {bar.step.surcharge && (
          <>
            {' '}
            <TableValue surcharge={bar.step.surcharge} />
          </>
        )}
      </>
    )
  if (bar.item) return <BaseSentence item={bar.item} price={line.explanation.price} quantity={quantity} />
  if (bar.kind === 'rounding') return t('rounding')
  const [onlyItem] = line.items
  return line.items.length > 1 ? t('total.items') : sentences.total(bar.amount, onlyItem?.exact ?? null)
}

function BaseSentence({ item, price, quantity }: { item: QuoteItem; price: PriceExplanation | null; quantity: Quantity }) {
  const sentences = useSentences()
  if (item.type !== 'processing') return price && sentences.base(price, quantity)
  const processingPrice = item.explanation?.processing_price
  return (
    <>
      {item.processing_id !== null && <RecordLink record="processing" id={item.processing_id} />}{' '}
      {processingPrice && sentences.processing(processingPrice)}{' '}
      {processingPrice && processingPrice.id !== null && <SourceLink record="processing_price" id={processingPrice.id} />}
    </>
  )
}

interface RowProps {
  label: ReactNode
  amount?: string
  after?: string
  strong?: boolean
  children: ReactNode
}

function Row({ label, amount = '', after = '', strong = false, children }: RowProps) {
  const number = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums', ...(strong && { fontWeight: 600 }) }
  return (
    <TableRow>
      <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
        <Box component="span" sx={{ display: 'block', fontWeight: strong ? 600 : 550 }}>
          {label}
        </Box>
        <Box component="span" sx={{ display: 'block', textWrap: 'pretty' }}>
          {children}
        </Box>
      </TableCell>
      <TableCell align="right" sx={number}>
        {amount}
      </TableCell>
      <TableCell align="right" sx={{ ...number, ...FROM_SM, color: 'text.secondary' }}>
        {after}
      </TableCell>
    </TableRow>
  )
}

/** Section of the explanation below the steps. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={title}>
      <Typography variant="subtitle2" component="h3" gutterBottom>
        {title}
      </Typography>
      {children}
    </Box>
  )
}
