import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { LoadFailed } from '~/kit/ui/load-failed'
import { externalApis } from './api'
import { FetchLists } from './fetch-lists'

/** Offers to fetch the lists of the tenant's external API where a file of them can be uploaded. */
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
        <FetchLists row={data.data[0] ?? null} leadsToApi onFetched={onFetched} />
      ) : (
        error && <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      )}
    </Box>
  )
}
