import Alert from '@mui/material/Alert'
import LinearProgress from '@mui/material/LinearProgress'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { useListError } from '~/kit/form/field-error'
import { useProgress } from './bulk-progress'
import type { ArticleForm } from './schema'
import { ValueFields } from './value-fields'

/** Values for many articles: fields for all attributes of their type, to be filled in as needed. */
export function BulkValuesField({ control }: { control: Control<ArticleForm> }) {
  const { t } = useTranslation('articles')
  const format = useFormat()
  const values = useWatch({ control, name: 'values' })
  const error = useListError(control, 'values')
  const progress = useProgress()
  if (values.length === 0) return <Alert severity={error ? 'error' : 'info'}>{t('bulk.oneType')}</Alert>
  return (
    <Stack spacing={2}>
      <Typography variant="body2" color="textSecondary">
        {t('bulk.kept')}
      </Typography>
      {error && <Alert severity="error">{error}</Alert>}
      <ValueFields control={control} values={values} optional />
      {progress && (
        <div role="status">
          <LinearProgress variant="determinate" value={(100 * progress.done) / Math.max(progress.total, 1)} aria-hidden sx={{ mb: 0.5 }} />
          {t('bulk.progress', { done: format.decimal(progress.done), of: format.decimal(progress.total) })}
        </div>
      )}
    </Stack>
  )
}
