import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { ExternalApi } from '~/api/schema'
import { importing } from '~/features/exchange/imports/resource'
import { ScheduleFields } from '~/features/exchange/shared/schedule-fields'
import { useFormat } from '~/i18n/use-format'
import { CheckField } from '~/kit/form/fields'
import { Card } from '~/kit/ui/card'
import { useConfig } from '~/session/config'
import { keepTenant } from '~/session/tenant'
import { externalApis } from './api'
import { FetchLists } from './fetch-lists'
import type { ExternalApiFormProps } from './schema'

/** Schedule for fetching the lists, the last fetch, and a button to fetch now. */
export function FetchFields({ form, row }: ExternalApiFormProps) {
  const { t } = useTranslation('externalApis')
  const { control } = form
  const lists = useWatch({ control, name: ['meta_data.articles.enabled', 'meta_data.warehouses.enabled', 'meta_data.tenants.enabled'] })
  const isScheduled = useWatch({ control, name: 'schedule.enabled' })
  // a fetch does not change the record in the form, so it is read from the query
  const last_fetch = useQuery(externalApis.all()).data?.data[0]?.last_fetch
  if (!lists.includes(true)) return null
  return (
    <Card title={t('schedule.title')} intro={t('schedule.intro')}>
      <Box sx={{ display: 'grid', gap: 2.5 }}>
        <CheckField control={control} name="schedule.enabled" label={t('schedule.enabled')} />
        {isScheduled && (
          <>
            <CheckField control={control} name="schedule.paused" label={t('fields.paused')} />
            <ScheduleFields control={control} name="schedule" preview={externalApis.previewRuns} />
          </>
        )}
        {row && <FetchLists row={row} isDirty={form.formState.isDirty} />}
        {row && last_fetch && <LastFetch fetch={last_fetch} />}
      </Box>
    </Card>
  )
}

function LastFetch({ fetch: { at, import_id, failure, unchanged } }: { fetch: NonNullable<ExternalApi['last_fetch']> }) {
  const { t } = useTranslation('externalApis')
  const { weekdayTime, ago } = useFormat()
  const { time_zone: zone } = useConfig()
  const { search } = useLocation()
  return (
    <Box role="status" sx={{ overflowWrap: 'anywhere' }}>
      <Typography variant="body2" color="textSecondary">
        {t('fetch.last', { when: weekdayTime(at, zone), ago: ago(at) })} {unchanged && t('fetch.unchanged')}{' '}
        {import_id !== null && (
          <Link component={RouterLink} to={{ pathname: `${importing.path}/${import_id}`, search: keepTenant(search) }}>
            {t('fetch.import')}
          </Link>
        )}
      </Typography>
      {failure && (
        <Typography variant="body2" color="error">
          {failure}
        </Typography>
      )}
    </Box>
  )
}
