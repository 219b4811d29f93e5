import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useLocation, useParams } from 'react-router'
import { isApiError } from '~/api/errors'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { usePageCrumbs } from '~/kit/ui/crumbs'
import { EmptyState } from '~/kit/ui/empty-state'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { Waiting } from '~/kit/ui/waiting'
import { keepTenant, useTenant } from '~/session/tenant'
import { DeleteButton } from './delete-button'
import { useRememberRecord } from './recent-records'
import type { Versioned } from './record-editor'
import type { PageApi, RecordPageContext } from './record-page-context'
import type { ResourceOf } from './resource'
import { allResources } from './resources'
import { TabLinks } from './tab-links'
import { useSeesHistory } from './use-sees-history'

interface Props<Row> {
  resource: ResourceOf<Row>
  api: PageApi<Row>
  /** Renders the record's state below the heading. */
  state?: (row: Row) => ReactNode
  /** True if the record's name has to be retyped for deleting. */
  retype?: boolean
  /** Renders further consequences of the deletion in the confirmation. */
  deletes?: (row: Row) => ReactNode
  /** True if the record can be deleted; by default the permission alone decides. */
  deletable?: (row: Row) => boolean
  /** True if the record's history can be shown; by default the permission alone decides. */
  hasHistory?: (row: Row) => boolean
}

/** Page of a record that is too large for a drawer: heading, state, and tabs, each with its address. */
export function RecordPage<Row extends Versioned>(props: Props<Row>) {
  const { id } = useParams()
  return <RecordOfId key={id} {...props} id={Number(id)} />
}

function RecordOfId<Row extends Versioned>({ id, ...props }: Props<Row> & { id: number }) {
  const { resource, api } = props
  const { t } = useTranslation(['recordPage', 'common'])
  const labels = useLabels(resource.ns)
  const { search } = useLocation()
  const { mayChoose } = useTenant()
  const isValidId = Number.isSafeInteger(id)
  const [deleting, setDeleting] = useState(false)
  const query = useQuery({ ...api.one(id), enabled: isValidId && !deleting, refetchOnMount: 'always' })
  const isMissing = !isValidId || (isApiError(query.error) && query.error.status === 404)
  const row = query.data
  useRememberRecord(resource, id, isMissing ? null : row)
  if (row) return <Frame {...props} row={row} isMissing={isMissing} onDeleting={setDeleting} />
  return (
    <Page title={labels.text('title.one')}>
      {isMissing ? (
        <EmptyState
          icon={resource.icon}
          title={t('common:errors.recordGone')}
          action={
            <Button component={Link} variant="outlined" to={{ pathname: resource.path, search: keepTenant(search) }}>
              {t('toList')}
            </Button>
          }
        >
          {mayChoose && resource.tenant && t('ofOther')}
        </EmptyState>
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} pending={query.isFetching} />
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

interface FrameProps<Row> extends Props<Row> {
  row: Row
  isMissing: boolean
  onDeleting: (now: boolean) => void
}

function Frame<Row extends Versioned>({
  resource,
  api,
  state,
  retype,
  deletes,
  deletable,
  hasHistory,
  row,
  isMissing,
  onDeleting,
}: FrameProps<Row>) {
  const { t } = useTranslation(['recordPage', 'common'])
  const labels = useLabels(resource.ns)
  const format = useFormat()
  const { pathname } = useLocation()
  const title = resource.title(row)
  const own = `${resource.path}/${row.id}`
  const seesHistory = useSeesHistory(resource) && (hasHistory?.(row) ?? true)
  const names = Object.keys(allResources().find(({ ns }) => ns === resource.ns)?.page?.tabs ?? {}).filter(
    (name) => name !== 'history' || seesHistory,
  )
  const tabs = names.map((name, place) => ({
    path: place === 0 ? own : `${own}/${name}`,
    text: name === 'usage' || name === 'history' ? t(`tabs.${name}`) : labels.text(`tabs.${name}`),
  }))
  const current = tabs.find(({ path }) => path === pathname.replace(/\/$/, ''))
  const below = current && current.path !== own ? current : undefined
  usePageCrumbs([{ path: own, text: title }, ...(below ? [below] : [])])
  return (
    <Page
      title={title}
      part={below?.text}
      actions={
        !isMissing &&
        (deletable?.(row) ?? true) && (
          <DeleteButton resource={resource} api={api} row={row} retype={retype} deletes={deletes} onDeleting={onDeleting} />
        )
      }
    >
      <Box sx={{ mt: -1.5, display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, rowGap: 0.5 }}>
        {state?.(row)}
        <Box component="span" sx={{ typography: 'caption', color: 'text.secondary' }}>
          {t('common:form.changedAt', { when: format.dateTime(row.updated_at) })}
        </Box>
      </Box>
      {isMissing && <Alert severity="error">{t('gone')}</Alert>}
      <TabLinks label={title} tabs={tabs} current={current?.path ?? ''} />
      <Suspense fallback={<Waiting />}>
        <Outlet context={{ resource, api, row } satisfies RecordPageContext<Row>} />
      </Suspense>
    </Page>
  )
}
