import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation, useNavigate, useParams } from 'react-router'
import { isApiError } from '~/api/errors'
import type { Import } from '~/api/schema'
import { bell, isRunning } from '~/features/exchange/shared/running'
import { unresolvedNumber } from '~/features/exchange/unresolved-numbers/resource'
import { heldPrice } from '~/features/pricing/held-prices/resource'
import { priceList } from '~/features/pricing/price-lists/resource'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { DrawerForm, DrawerFrame, FormSkeleton } from '~/kit/form/form-drawer'
import { linkTo } from '~/kit/records/link'
import { useRememberRecord } from '~/kit/records/recent-records'
import { FactList } from '~/kit/ui/fact-list'
import { FormErrors } from '~/kit/ui/form-errors'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { useMe } from '~/session/me'
import { keepTenant } from '~/session/tenant'
import { imports } from './api'
import { ImportActions } from './detail-actions'
import { ImportCounts } from './detail-counts'
import { RefusedRows, WarnedRows } from './detail-errors'
import { ErrorGroups } from './error-groups'
import { ImportMarks } from './import-marks'
import { useImportName } from './import-name'
import { ImportProgress } from './progress'
import { RemovalsAlert } from './removals-alert'
import { importing } from './resource'
import { ImportStatusChip } from './status-chip'
import { UndoneAlert } from './undone-alert'

const UndoneRows = lazyWithTexts(() => import('./undone-rows'))

/** Detail view of an import: progress, results, errors and actions. */
export default function ImportDetail() {
  const { t } = useTranslation('imports')
  const { t: common } = useTranslation()
  const id = Number(useParams().id)
  const isValidId = Number.isSafeInteger(id)
  const navigate = useNavigate()
  const { search } = useLocation()
  const name = useImportName()
  const { data: row, error } = useQuery({ ...imports.one(id), enabled: isValidId })
  const isMissing = !isValidId || (isApiError(error) && error.status === 404)
  useAnnounceEnd(row)
  useRememberRecord(importing, id, isMissing ? null : row)
  const close = () => void navigate({ pathname: '..', search }, { relative: 'path' })
  return (
    <DrawerFrame width="md" onClose={close}>
      <DrawerForm
        title={row ? name(row) : t('title.edit')}
        subtitle={row && `${t('detail.number', { id: row.id })} · ${row.upload_file}`}
        onClose={close}
      >
        {row ? (
          <Body row={row} />
        ) : isMissing ? (
          <Alert severity="info">{common('errors.recordGone')}</Alert>
        ) : error ? (
          <FormErrors error={error} />
        ) : (
          <FormSkeleton />
        )}
      </DrawerForm>
    </DrawerFrame>
  )
}

/** Reports the end of the import as soon as this view sees it, since it polls more often than the bell. */
function useAnnounceEnd(row: Import | undefined): void {
  const queries = useQueryClient()
  const running = row !== undefined && isRunning(row)
  const before = useRef(false)
  useEffect(() => {
    if (before.current && !running) void queries.invalidateQueries({ queryKey: bell.list().queryKey })
    before.current = running
  }, [running, queries])
}

function Body({ row }: { row: Import }) {
  const { t } = useTranslation('imports')
  return (
    <>
      <Stack direction="row" useFlexGap sx={{ alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
        <ImportStatusChip status={row.status} />
        <ImportMarks row={row} />
        <Box sx={{ flex: 1, minWidth: 180, typography: 'body2', color: 'text.secondary' }} role="status">
          {row.status === 'Queued' ? t('detail.waiting') : <ImportProgress row={row} unit />}
        </Box>
      </Stack>
      {row.status_message && (
        <Alert severity={row.status === 'Failed' ? 'error' : 'info'} sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {row.status_message}
        </Alert>
      )}
      {row.dry_run && !isRunning(row) && row.status !== 'Cancelled' && (
        <Alert severity="info" role="note">
          {t(row.undoes === null ? 'dryRun.note' : 'undo.note')}
        </Alert>
      )}
      {row.replays !== null && (
        <OtherImport id={row.replays} text={t(`detail.replays.${row.replay_cause ?? 'unknown'}`, { id: row.replays })} />
      )}
      {row.replayed_by !== null && <OtherImport id={row.replayed_by} text={t('detail.replayed', { id: row.replayed_by })} />}
      {row.rows_unresolved > 0 && !row.dry_run && !isRunning(row) && <UnresolvedLink row={row} />}
      {row.rows_held > 0 && !row.dry_run && row.undoes === null && !isRunning(row) && <HeldPricesLink row={row} />}
      <RemovalsAlert row={row} rows="rows" />
      {row.identical_to && <IdenticalImport to={row.identical_to} />}
      <UndoneAlert row={row} />
      {row.status !== 'Queued' && (row.status !== 'Cancelled' || row.rows_done > 0) && <ImportCounts row={row} />}
      {!row.files_kept && row.undoes === null && (
        <Alert severity="info" role="note">
          {t('detail.forgotten')}
        </Alert>
      )}
      <ImportActions row={row} />
      <Facts row={row} />
      {row.rows_refused + row.rows_unresolved > 0 && row.files_kept && !isRunning(row) && (
        <>
          <ErrorGroups id={row.id} />
          <RefusedRows row={row} />
        </>
      )}
      {row.rows_held > 0 && !isRunning(row) && <WarnedRows id={row.id} underReview />}
      {!isRunning(row) && row.undoes === null && <WarnedRows id={row.id} />}
      {!isRunning(row) && row.undoes !== null && (
        <Suspense fallback={null}>
          <UndoneRows id={row.id} />
        </Suspense>
      )}
    </>
  )
}

function IdenticalImport({ to: { id, created_at } }: { to: NonNullable<Import['identical_to']> }) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const { search } = useLocation()
  return (
    <Alert severity="warning">
      {t('detail.identical', { id, when: format.dateTime(created_at) })}{' '}
      <Link component={RouterLink} to={{ pathname: `../${id}`, search }} relative="path" color="inherit">
        {t('detail.identicalLink', { id })}
      </Link>
    </Alert>
  )
}

/** Sentence about another import with a link to it. */
function OtherImport({ id, text }: { id: number; text: string }) {
  const { t } = useTranslation('imports')
  const { search } = useLocation()
  return (
    <Alert severity="info" role="note">
      {text}{' '}
      <Link component={RouterLink} to={{ pathname: `../${id}`, search }} relative="path" color="inherit">
        {t('detail.identicalLink', { id })}
      </Link>
    </Alert>
  )
}

/** Link to where prices under review are released or rejected. */
function HeldPricesLink({ row }: { row: Import }) {
  const { t } = useTranslation('imports')
  const { search } = useLocation()
  const tenantSearch = keepTenant(search)
  // prices of a list are reviewed in its sheet
  const to = row.price_list
    ? { pathname: `${priceList.path}/${row.price_list.id}/prices`, search: tenantSearch }
    : linkTo(heldPrice, { import_id: row.id }, { search: tenantSearch })
  return (
    <Alert severity="warning" role="note">
      {t('detail.held', { count: row.rows_held })}{' '}
      <Link component={RouterLink} to={to} color="inherit">
        {t('detail.heldLink')}
      </Link>
    </Alert>
  )
}

function UnresolvedLink({ row }: { row: Import }) {
  const { t } = useTranslation('imports')
  const { search } = useLocation()
  return (
    <Alert severity="info" role="note">
      {t('detail.unresolved', { count: row.rows_unresolved })}{' '}
      <Link component={RouterLink} to={linkTo(unresolvedNumber, {}, { search: keepTenant(search) })} color="inherit">
        {t('detail.unresolvedLink')}
      </Link>
    </Alert>
  )
}

/** Link to the prices of the price list, as long as the list exists. */
function ListLink({ list: { id, name } }: { list: NonNullable<Import['price_list']> }) {
  const { search } = useLocation()
  if (!name) return `#${id}`
  return (
    <Link component={RouterLink} to={{ pathname: `${priceList.path}/${id}/prices`, search: keepTenant(search) }}>
      {name}
    </Link>
  )
}

function Facts({ row }: { row: Import }) {
  const labels = useLabels('imports')
  const format = useFormat()
  const me = useMe()
  return (
    <FactList
      facts={[
        [labels.field('type'), labels.enum('type', row.type)],
        [labels.field('price_list'), row.price_list && <ListLink list={row.price_list} />],
        [labels.field('strategy'), row.strategy === 'add_and_replace' ? null : labels.enum('strategy', row.strategy)],
        [labels.field('tenant'), me.tenant_id === null ? row.tenant.company : null],
        [labels.field('created_by'), row.created_by?.name ?? row.feed?.host],
        [labels.field('created_at'), format.dateTime(row.created_at)],
        [labels.field('started_at'), row.started_at && format.dateTime(row.started_at)],
        [labels.field('finished_at'), row.finished_at && format.dateTime(row.finished_at)],
      ]}
    />
  )
}
