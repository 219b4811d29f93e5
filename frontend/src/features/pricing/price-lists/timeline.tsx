import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import FormLabel from '@mui/material/FormLabel'
import Link from '@mui/material/Link'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useQuery } from '@tanstack/react-query'
import { CalendarRange } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { isApiError } from '~/api/errors'
import { type PriceListSegment, type PriceListTimeline, type PriceListType, priceListTypeValues } from '~/api/schema'
import { articleRef } from '~/features/catalog/articles/ref'
import { partnerRef } from '~/features/exchange/partners/ref'
import { tenantRef } from '~/features/identity/tenants/ref'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { RefPicker } from '~/kit/form/ref-picker'
import { TenantRequired } from '~/kit/shell/tenant-required'
import { TenantSelect } from '~/kit/shell/tenant-select'
import { usePageCrumbs } from '~/kit/ui/crumbs'
import { EmptyState } from '~/kit/ui/empty-state'
import { LoadFailed } from '~/kit/ui/load-failed'
import { NativeSelect } from '~/kit/ui/native-select'
import { Notice } from '~/kit/ui/notice'
import { Page } from '~/kit/ui/page'
import { Waiting } from '~/kit/ui/waiting'
import { useAddressParams } from '~/lib/address-params'
import { useNow } from '~/lib/use-now'
import { useConfig } from '~/session/config'
import { keepTenant, useTenant } from '~/session/tenant'
import { priceLists } from './api'
import { priceList } from './resource'
import { readTimelineQuery, TIMELINE, type TimelineQuery, writeTimelineQuery } from './timeline-address'
import { TimelineDrawing } from './timeline-drawing'
import { containsTime, countUpcoming, segmentKind } from './timeline-scale'

/**
 * Page that shows which list applies to an article and a customer in which period, including overlaps and
 * gaps.
 */
export default function PriceListTimelinePage() {
  const { t } = useTranslation('priceLists')
  const { tenantId } = useTenant()
  usePageCrumbs([{ path: TIMELINE, text: t('timeline.title') }])
  if (tenantId === null) return <TenantRequired chooser={<TenantSelect tenants={tenantRef} />} />
  return (
    <Page title={t('timeline.title')} intro={t('timeline.intro')}>
      <Timeline />
    </Page>
  )
}

function Timeline() {
  const { search } = useLocation()
  const query = readTimelineQuery(search)
  return (
    <>
      <TimelineFields query={query} />
      {query.article === null ? <NothingChosen /> : <TimelineContent query={{ ...query, article: query.article }} />}
    </>
  )
}

function NothingChosen() {
  const { t } = useTranslation('priceLists')
  return (
    <EmptyState icon={CalendarRange} title={t('timeline.chooseTitle')}>
      {t('timeline.choose')}
    </EmptyState>
  )
}

/** Fields for article, buyer and type; their values are in the URL. */
function TimelineFields({ query }: { query: TimelineQuery }) {
  const { t } = useTranslation('priceLists')
  const labels = useLabels('priceLists')
  const [, changeParams] = useAddressParams()
  function changeQuery(change: Partial<TimelineQuery>) {
    const changedParams = (search: string) => new URLSearchParams(writeTimelineQuery(search, { ...readTimelineQuery(search), ...change }))
    changeParams((params) => changedParams(params.toString()), { replace: true })
  }
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '2fr 2fr 1fr' }, maxWidth: 960 }}>
      <Field label={t('timeline.article')}>
        {(id) => <RefPicker id={id} source={articleRef} value={query.article} onChange={(article) => changeQuery({ article })} />}
      </Field>
      {query.type === 'sales' && (
        <Field label={t('timeline.buyer')}>
          {(id) => (
            <RefPicker
              id={id}
              source={partnerRef}
              value={query.buyer}
              onChange={(buyer) => changeQuery({ buyer })}
              placeholder={t('timeline.ourselves')}
            />
          )}
        </Field>
      )}
      <Field label={labels.field('type')}>
        {(id) => (
          <NativeSelect id={id} value={query.type} onChange={(event) => changeQuery({ type: event.target.value as PriceListType })}>
            {priceListTypeValues.map((type) => (
              <option key={type} value={type}>
                {labels.enum('type', type)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </Box>
  )
}

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <Box sx={{ display: 'grid', alignContent: 'start' }}>
      <FormLabel htmlFor={id}>{label}</FormLabel>
      {children(id)}
    </Box>
  )
}

function TimelineContent({ query: { article, buyer, type } }: { query: TimelineQuery & { article: number } }) {
  const { t } = useTranslation('priceLists')
  const { data, error, refetch } = useQuery(priceLists.timeline({ article_id: article, buyer_id: buyer, type }))
  if (error) return <TimelineError error={error} retry={() => void refetch()} />
  if (!data) return <Waiting />
  if (data.lists.length > 0) return <TimelineResult timeline={data} />
  return (
    <EmptyState icon={CalendarRange} title={t('timeline.noneTitle')}>
      {t('timeline.none')}
    </EmptyState>
  )
}

/** Error of the request; there is no retry if the article or the customer does not exist. */
function TimelineError({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation('priceLists')
  const fieldErrors = isApiError(error) ? Object.entries(error.fields) : []
  if (fieldErrors.length === 0) return <LoadFailed error={error} retry={retry} />
  const fieldLabel = (field: string) => t(field === 'article_id' ? 'timeline.article' : 'timeline.buyer')
  return <Notice tone="error">{fieldErrors.map(([field, messages]) => `${fieldLabel(field)}: ${messages.join(' ')}`).join(' ')}</Notice>
}

function TimelineResult({ timeline }: { timeline: PriceListTimeline }) {
  const { t } = useTranslation('priceLists')
  const { decimal } = useFormat()
  const now = useNow().getTime()
  const warnings = (['gap', 'overlap'] as const).flatMap((kind) => {
    const count = countUpcoming(timeline.segments, now, kind)
    return count > 0 ? [t(`timeline.ahead.${kind}`, { count, number: decimal(count) })] : []
  })
  return (
    <Box>
      {warnings.length > 0 && (
        <Notice tone={countUpcoming(timeline.segments, now, 'gap') > 0 ? 'warning' : 'info'}>{warnings.join(' ')}</Notice>
      )}
      <Box sx={{ mt: 2 }}>
        <TimelineDrawing {...timeline} now={now} />
      </Box>
      <TableContainer sx={{ border: 1, borderColor: 'divider', borderRadius: 1, maxWidth: 960 }} tabIndex={0}>
        <Table size="small" aria-label={t('timeline.title')}>
          <TableHead>
            <TableRow>
              <TableCell>{t('timeline.from')}</TableCell>
              <TableCell>{t('timeline.until')}</TableCell>
              <TableCell>{t('timeline.counts')}</TableCell>
              <TableCell align="right">{t('timeline.price')}</TableCell>
              <TableCell>{t('timeline.behind')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {timeline.segments.map((segment) => (
              <Segment key={segment.from} timeline={timeline} segment={segment} now={containsTime(segment, now)} />
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </Box>
  )
}

function Segment({ timeline: { lists }, segment, now }: { timeline: PriceListTimeline; segment: PriceListSegment; now: boolean }) {
  const { t } = useTranslation('priceLists')
  const { dateTime } = useFormat()
  const { time_zone } = useConfig()
  const labels = useLabels('priceLists')
  const money = useMoneyText()
  const { search } = useLocation()
  const list = (id: number) => lists.find((one) => one.id === id)
  const listLink = (id: number) => (
    <Link component={RouterLink} to={{ pathname: `${priceList.path}/${id}/prices`, search: keepTenant(search) }}>
      {list(id)?.name}
    </Link>
  )
  const counts = segment.counts === null ? undefined : list(segment.counts)
  const gap = segmentKind(segment) === 'gap'
  return (
    <TableRow sx={{ '& td, & th': { verticalAlign: 'top' } }}>
      <TableCell component="th" scope="row">
        {dateTime(segment.from, time_zone)} {now && <Chip size="small" color="primary" label={t('timeline.now')} />}
      </TableCell>
      <TableCell>{segment.until === null ? t('timeline.openEnd') : dateTime(segment.until, time_zone)}</TableCell>
      <TableCell sx={gap ? { color: 'error.main', fontWeight: 600 } : {}}>
        {counts ? (
          <>
            {listLink(counts.id)} ({labels.enum('applies', counts.applies)})
          </>
        ) : (
          t('timeline.gap')
        )}
      </TableCell>
      <TableCell align="right">{counts?.price ? money(counts.price) : '\u2013'}</TableCell>
      <TableCell>
        {segment.behind.map((id, nth) => (
          <span key={id}>
            {nth > 0 && ', '}
            {listLink(id)}
          </span>
        ))}
      </TableCell>
    </TableRow>
  )
}
