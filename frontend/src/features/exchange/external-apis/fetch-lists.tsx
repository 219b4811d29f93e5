import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { ExternalApi, Import } from '~/api/schema'
import { importing } from '~/features/exchange/imports/resource'
import { useFormat } from '~/i18n/use-format'
import { useSave } from '~/kit/form/use-save'
import { BusyButton } from '~/kit/ui/busy-button'
import { FormErrors } from '~/kit/ui/form-errors'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Working } from '~/kit/ui/working'
import { externalApis } from './api'
import { externalApi } from './description'
import { useExternalApiPage } from './ref'

const LISTS = ['articles', 'warehouses', 'tenants'] as const

interface Props {
  /** Saved settings; null if there are none. */
  row: ExternalApi | null
  /** True while the form has unsaved changes; only saved settings are used for fetching. */
  isDirty?: boolean
  /** Called with the new import; given only outside the page of the external API. */
  onFetched?: (row: Import) => void
}

/** Fetches the lists of an external API and imports them, or says what is missing for that. */
export function FetchLists({ row, isDirty = false, onFetched }: Props) {
  const { t } = useTranslation('externalApis')
  const { list } = useFormat()
  const page = useExternalApiPage()
  const id = useId()
  const { submit, pending, error } = useSave({
    save: externalApis.importMetaData,
    message: (fetched) => ({
      text: t('fetch.begun'),
      links: onFetched ? [] : [{ label: t('fetch.import'), to: `${importing.path}/${fetched.id}` }],
      answer: fetched,
    }),
    startsJob: true,
    ...(onFetched && { done: onFetched }),
  })
  const lists = LISTS.filter((name) => row?.meta_data[name])
  const missing = row === null ? 'noApi' : isDirty ? 'unsaved' : lists.length === 0 ? 'noLists' : row.active ? null : 'inactive'
  const text = missing
    ? t(`fetch.${missing}`)
    : row && t('fetch.intro', { api: externalApi.title(row), lists: list(lists.map((name) => t(`endpoints.${name}.title`))) })
  return (
    <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
      <Typography variant="body2" color="textSecondary" id={id} sx={{ overflowWrap: 'anywhere' }}>
        {text}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <BusyButton
          variant="outlined"
          startIcon={<Download size={16} aria-hidden />}
          busy={pending}
          disabled={missing !== null}
          aria-describedby={id}
          onClick={() => row && submit(row.id)}
        >
          {t('fetch.now')}
        </BusyButton>
        {onFetched && page && (
          <Link component={RouterLink} to={page} variant="body2">
            {t('fetch.api')}
          </Link>
        )}
      </Box>
      {(pending || error !== null) && (
        <Box sx={{ justifySelf: 'stretch' }}>
          {pending ? <Working>{t('fetch.running')}</Working> : <FormErrors error={error} title={t('fetch.refused')} />}
        </Box>
      )}
    </Box>
  )
}

/** Offers to fetch the lists from the tenant's external API instead of uploading a file of them. */
export default function FetchInPlaceOfFile({ onFetched }: { onFetched: (row: Import) => void }) {
  const { t } = useTranslation('externalApis')
  const id = useId()
  const { data, error, refetch, isFetching } = useQuery(externalApis.all())
  return (
    <Box component="section" aria-labelledby={id} sx={{ p: 2, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Typography variant="subtitle2" component="h3" id={id} sx={{ mb: 0.5 }}>
        {t('fetch.title')}
      </Typography>
      {data ? (
        <FetchLists row={data.data[0] ?? null} onFetched={onFetched} />
      ) : (
        error && <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      )}
    </Box>
  )
}
