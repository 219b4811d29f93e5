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
import { useCrumbsOf } from '~/kit/ui/crumbs'
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
import { readAsked, TIMELINE, type TimelineQuery, writeAsked } from './timeline-address'
import { TimelineDrawing } from './timeline-drawing'
import { ahead, holdsAt, segmentKind } from './timeline-scale'

/**
 * Page that shows which list applies to an article and a customer in which period, including overlaps and
 * gaps.
 */
export default function PriceListTimelinePage() {
  const { t } = useTranslation('priceLists')
  const { tenantId } = useTenant()
  useCrumbsOf([{ path: TIMELINE, text: t('timeline.title') }])
  if (tenantId === null) return <TenantRequired chooser={<TenantSelect tenants={tenantRef} />} />
  return (
    <Page title={t('timeline.title')} intro={t('timeline.intro')}>
      <Timeline />
    </Page>
  )
}

function Timeline() {
  const { search } = useLocation()
  const asked = readAsked(search)
  return (
    <>
      <Question asked={asked} />
      {asked.article === null ? <NothingAsked /> : <Answer asked={{ ...asked, article: asked.article }} />}
    </>
  )
}

function NothingAsked() {
  const { t } = useTranslation('priceLists')
  return (
    <EmptyState icon={CalendarRange} title={t('timeline.chooseTitle')}>
      {t('timeline.choose')}
    </EmptyState>
  )
}

/** Fields for article, buyer and type; their values are in the URL. */
function Question({ asked }: { asked: TimelineQuery }) {
  const { t } = useTranslation('priceLists')
  const labels = useLabels('priceLists')
  const [, changeParams] = useAddressParams()
  function ask(change: Partial<TimelineQuery>) {
    const written = (search: string) => new URLSearchParams(writeAsked(search, { ...readAsked(search), ...change }))
    changeParams((params) => written(params.toString()), { replace: true })
  }
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '2fr 2fr 1fr' }, maxWidth: 960 }}>
      <Field label={t('timeline.article')}>
        {(id) => <RefPicker id={id} source={articleRef} value={asked.article} onChange={(article) => ask({ article })} />}
      </Field>
      {asked.type === 'sales' && (
        <Field label={t('timeline.buyer')}>
          {(id) => (
            <RefPicker
              id={id}
              source={partnerRef}
              value={asked.buyer}
              onChange={(buyer) => ask({ buyer })}
              placeholder={t('timeline.ourselves')}
            />
          )}
        </Field>
      )}
      <Field label={labels.field('type')}>
        {(id) => (
          <NativeSelect id={id} value={asked.type} onChange={(event) => ask({ type: event.target.value as PriceListType })}>
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

function Answer({ asked: { article, buyer, type } }: { asked: TimelineQuery & { article: number } }) {
  const { t } = useTranslation('priceLists')
  const { data, error, refetch } = useQuery(priceLists.timeline({ article_id: article, buyer_id: buyer, type }))
  if (error) return <Refused error={error} retry={() => void refetch()} />
  if (!data) return <Waiting />
  if (data.lists.length > 0) return <TimelineResult of={data} />
  return (
    <EmptyState icon={CalendarRange} title={t('timeline.noneTitle')}>
      {t('timeline.none')}
    </EmptyState>
  )
}

/** Error of the request; there is no retry if the article or the customer does not exist. */
function Refused({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation('priceLists')
  const said = isApiError(error) ? Object.entries(error.fields) : []
  if (said.length === 0) return <LoadFailed error={error} retry={retry} />
  const where = (field: string) => t(field === 'article_id' ? 'timeline.article' : 'timeline.buyer')
  return <Notice tone="error">{said.map(([field, messages]) => `${where(field)}: ${messages.join(' ')}`).join(' ')}</Notice>
}

function TimelineResult({ of }: { of: PriceListTimeline }) {
  const { t } = useTranslation('priceLists')
  const { decimal } = useFormat()
  const now = useNow().getTime()
  const warnings = (['gap', 'overlap'] as const).flatMap((kind) => {
    const count = ahead(of.segments, now, kind)
    return count > 0 ? [t(`timeline.ahead.${kind}`, { count, number: decimal(count) })] : []
  })
  return (
    <Box>
      {warnings.length > 0 && <Notice tone={ahead(of.segments, now, 'gap') > 0 ? 'warning' : 'info'}>{warnings.join(' ')}</Notice>}
      <Box sx={{ mt: 2 }}>
        <TimelineDrawing {...of} now={now} />
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
            {of.segments.map((segment) => (
              <Segment key={segment.from} of={of} segment={segment} now={holdsAt(segment, now)} />
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </Box>
  )
}

function Segment({ of: { lists }, segment, now }: { of: PriceListTimeline; segment: PriceListSegment; now: boolean }) {
  const { t } = useTranslation('priceLists')
  const { dateTime } = useFormat()
  const { time_zone } = useConfig()
  const labels = useLabels('priceLists')
  const money = useMoneyText()
  const { search } = useLocation()
  const list = (id: number) => lists.find((one) => one.id === id)
  const named = (id: number) => (
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
            {named(counts.id)} ({labels.enum('applies', counts.applies)})
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
            {named(id)}
          </span>
        ))}
      </TableCell>
    </TableRow>
  )
}
