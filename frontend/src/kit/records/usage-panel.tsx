import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '~/kit/ui/error-text'
import { type UsageQuery, UsedBy } from './used-by'

/** Section below a record's form with the records that refer to it. */
export default function UsagePanel({ id, usage }: { id: number; usage: UsageQuery }) {
  const { t } = useTranslation('usage')
  const errorText = useErrorText()
  const heading = useId()
  const { data, error } = useQuery({ ...usage(id), refetchOnMount: 'always' })
  const usages = data?.data
  return (
    <Box component="section" aria-labelledby={heading} sx={{ borderTop: 1, borderColor: 'divider', pt: 2.5 }}>
      <Typography variant="h3" component="h2" id={heading} sx={{ mb: 1.5 }}>
        {t('title')}
      </Typography>
      {usages ? (
        usages.length > 0 ? (
          <UsedBy id={id} usages={usages} />
        ) : (
          <Typography variant="body2" color="textSecondary">
            {t('none')}
          </Typography>
        )
      ) : error ? (
        <Typography variant="body2" color="error">
          {errorText(error)}
        </Typography>
      ) : (
        <Skeleton width="60%" />
      )}
    </Box>
  )
}
