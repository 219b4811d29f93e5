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
import { RecordLink } from '../record-link'
import { barsOf, type PriceBar } from './bars'
import { LeftOut, Sources } from './considered'
import { TableValue } from './table-value'
import { useSentences } from './use-sentences'
import { Waterfall } from './waterfall'

interface Props {
  /** Line that was quoted with its explanation; a rejected one has no items. */
  line: QuoteLine & { explanation: QuoteLineExplanation }
  /** Requested quantity. */
  asked: Quantity
  /** Explanation of the cart, with lists and adjustments that did not apply to it at all. */
  cart?: QuoteExplanation | null
}

/** Styles of columns that small screens hide, since the chart shows the same. */
const AFTER = { display: { xs: 'none', sm: 'table-cell' } }

/** Explanation of the price of a quoted line, or of why it has none. */
export default function WhyPrice({ line, asked, cart = null }: Props) {
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
          <Steps line={line} asked={asked} />
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
function Steps({ line, asked }: Pick<Props, 'line' | 'asked'>) {
  const { t } = useTranslation('whyPrice')
  const say = useSentences()
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
        amount={({ kind, amount }) => (kind === 'base' || kind === 'total' ? say.euro(amount) : say.signed(amount))}
        cost={line.internal === null ? null : { at: line.internal, text: t('bar.cost', { amount: say.euro(line.internal) }) }}
      />
      <Table size="small" aria-label={t('steps')} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
        <TableHead>
          <TableRow>
            <TableCell>{t('heads.step')}</TableCell>
            <TableCell align="right">{t('heads.amount')}</TableCell>
            <TableCell align="right" sx={AFTER}>
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
              what={bar.step ? <RecordLink record="price_adjustment" id={bar.step.adjustment_id} name={bar.step.name} /> : labelOf(bar)}
              amount={bar.kind === 'total' || bar.kind === 'base' ? say.euro(bar.amount) : say.signed(bar.amount)}
              after={bar.kind === 'total' ? '' : say.euro(bar.to)}
            >
              <Sentence bar={bar} line={line} asked={asked} />
            </Row>
          ))}
          {internal_price && (
            <Row what={t('cost.title')} amount={say.euro(internal_price.amount)} after="">
              {say.margin(internal_price, line.margin)} <Source of={internal_price} lists={[]} />
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
  const say = useSentences()
  return (
    <>
      <Row what={t('price.title')}>
        {say.price(price)} <Source of={price} lists={lists} />
      </Row>
      {price.conversions.map((conversion) => (
        <Row key={conversion.to_unit} what={t('conversion.title')}>
          {say.conversion(conversion)}
        </Row>
      ))}
    </>
  )
}

/** Link to the source of a price. */
function Source({ of, lists }: { of: PriceExplanation; lists: QuoteLineExplanation['lists'] }) {
  const list = lists.find((one) => one.id === of.list_id)
  const [record, id] = of.list_id === null ? (['stock', of.stock_id] as const) : (['price_list', of.list_id] as const)
  return id !== null && <From record={record} id={id} name={list?.name} linked={list?.valid_from !== null} />
}

interface FromProps {
  record: string
  id: number
  name?: string | undefined
  /** False for a list that the customer does not see yet. */
  linked?: boolean
}

function From({ record, id, name, linked = true }: FromProps) {
  const { t } = useTranslation('whyPrice')
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {t('price.from')} {linked ? <RecordLink record={record} id={id} name={name} /> : name}
    </Box>
  )
}

function Sentence({ bar, line, asked }: { bar: PriceBar } & Pick<Props, 'line' | 'asked'>) {
  const { t } = useTranslation('whyPrice')
  const say = useSentences()
  if (bar.step)
    return (
      <>
        {say.step(bar.step)}
        {bar.step.surcharge && (
          <>
            {' '}
            <TableValue of={bar.step.surcharge} />
          </>
        )}
      </>
    )
  if (bar.item) return <BaseSentence item={bar.item} price={line.explanation.price} asked={asked} />
  if (bar.kind === 'rounding') return t('rounding')
  const [only] = line.items
  return line.items.length > 1 ? t('total.items') : say.total(bar.amount, only?.exact ?? null)
}

function BaseSentence({ item, price, asked }: { item: QuoteItem; price: PriceExplanation | null; asked: Quantity }) {
  const say = useSentences()
  if (item.type !== 'processing') return price && say.base(price, asked)
  const own = item.explanation?.processing_price
  return (
    <>
      {item.processing_id !== null && <RecordLink record="processing" id={item.processing_id} />} {own && say.processing(own)}{' '}
      {own && own.id !== null && <From record="processing_price" id={own.id} />}
    </>
  )
}

interface RowProps {
  what: ReactNode
  amount?: string
  after?: string
  strong?: boolean
  children: ReactNode
}

function Row({ what, amount = '', after = '', strong = false, children }: RowProps) {
  const number = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums', ...(strong && { fontWeight: 600 }) }
  return (
    <TableRow>
      <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
        <Box component="span" sx={{ display: 'block', fontWeight: strong ? 600 : 550 }}>
          {what}
        </Box>
        <Box component="span" sx={{ display: 'block', textWrap: 'pretty' }}>
          {children}
        </Box>
      </TableCell>
      <TableCell align="right" sx={number}>
        {amount}
      </TableCell>
      <TableCell align="right" sx={{ ...number, ...AFTER, color: 'text.secondary' }}>
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
