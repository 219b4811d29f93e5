import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { Download } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { ExternalApi, Import } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useSave } from '~/kit/form/use-save'
import { BusyButton } from '~/kit/ui/busy-button'
import { FormErrors } from '~/kit/ui/form-errors'
import { Working } from '~/kit/ui/working'
import { externalApis } from './api'
import { externalApi } from './description'
import { useExternalApiPage } from './ref'

const LISTS = ['articles', 'warehouses', 'tenants'] as const

interface Props {
  /** The saved settings; null if there are none. */
  row: ExternalApi | null
  /** True where another page sets the API up. */
  leadsToApi?: boolean
  onFetched: (row: Import) => void
}

/** Fetches the lists of an external API and imports them, or says what it needs for that. */
export function FetchLists({ row, leadsToApi = false, onFetched }: Props) {
  const { t } = useTranslation('externalApis')
  const { list } = useFormat()
  const page = useExternalApiPage()
  const id = useId()
  const { submit, pending, error } = useSave({
    save: externalApis.importMetaData,
    message: () => t('fetch.begun'),
    begins: true,
    done: onFetched,
  })
  const lists = LISTS.filter((name) => row?.meta_data[name])
  const missing = row === null ? 'noApi' : lists.length === 0 ? 'noLists' : row.active ? null : 'inactive'
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
        {leadsToApi && page && (
          <Link component={RouterLink} to={page} variant="body2">
            {t('fetch.api')}
          </Link>
        )}
      </Box>
      <Box sx={{ justifySelf: 'stretch' }}>
        {pending ? <Working>{t('fetch.running')}</Working> : <FormErrors error={error} title={t('fetch.refused')} />}
      </Box>
    </Box>
  )
}
