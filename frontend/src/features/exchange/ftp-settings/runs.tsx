import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Download, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { FtpFeedRun, FtpFileKind, FtpSettings } from '~/api/schema'
import { importing } from '~/features/exchange/imports/resource'
import { useFormat } from '~/i18n/use-format'
import { useSave } from '~/kit/form/use-save'
import { Card } from '~/kit/ui/card'
import { FormErrors } from '~/kit/ui/form-errors'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { useConfig } from '~/session/config'
import { ftpSettingsApi } from './api'

/** Fetches a file on demand, and lists the latest runs with their results. */
export function Runs({ row }: { row: FtpSettings }) {
  const { t } = useTranslation('feeds')
  const { data, error, refetch, isFetching } = useQuery(ftpSettingsApi.runs(row.id))
  const files = (['price', 'stock'] as const).filter((file) => row[`${file}_file`].enabled)
  return (
    <Card title={t('runs.title')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {files.length > 0 && (
          <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
            {files.map((file) => (
              <RunNow key={file} id={row.id} file={file} />
            ))}
          </Box>
        )}
        {error && !data ? (
          <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
        ) : !data ? (
          <Waiting />
        ) : data.data.length === 0 ? (
          <Typography variant="body2" color="textSecondary">
            {t('runs.none')}
          </Typography>
        ) : (
          <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2 }}>
            {data.data.map((run) => (
              <Run key={run.id} id={row.id} run={run} />
            ))}
          </Box>
        )}
      </Box>
    </Card>
  )
}

function RunNow({ id, file }: { id: number; file: FtpFileKind }) {
  const { t } = useTranslation('feeds')
  const { submit, pending, error } = useSave({
    save: () => ftpSettingsApi.run(id, file),
    message: () => t('runs.asked'),
    startsJob: true,
  })
  return (
    <>
      {error != null && <FormErrors error={error} />}
      <Button variant="outlined" color="inherit" startIcon={<Download size={16} />} loading={pending} onClick={() => submit(undefined)}>
        {`${t(`files.${file}`)}: ${t('runs.now')}`}
      </Button>
    </>
  )
}

function Run({ id, run }: { id: number; run: FtpFeedRun }) {
  const { t } = useTranslation('feeds')
  const { weekdayTime, bytes } = useFormat()
  const { time_zone: zone } = useConfig()
  const { started_at, finished_at, outcome } = run
  const state = outcome ? t(`runs.outcomes.${outcome}`) : t(started_at ? 'runs.running' : 'runs.queued')
  const seconds = started_at && finished_at && Math.round((Date.parse(finished_at) - Date.parse(started_at)) / 1000)
  const facts = [
    t(`runs.causes.${run.cause}`) + (run.asked_by ? ` (${run.asked_by.name})` : ''),
    ...(run.file_name ? [run.file_name] : []),
    ...(run.bytes === null ? [] : [bytes(run.bytes)]),
    ...(typeof seconds === 'number' ? [t('runs.took', { seconds })] : []),
  ]
  return (
    <Box component="li" sx={{ overflowWrap: 'anywhere' }}>
      <Typography variant="body2" sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
        {`${weekdayTime(started_at ?? run.created_at, zone)}: ${t(`files.${run.file}`)}, ${state}`}
      </Typography>
      <Typography variant="caption" color="textSecondary" component="p">
        {facts.join(' · ')}
      </Typography>
      {run.message && (
        <Typography variant="body2" color={outcome === 'failed' ? 'error' : 'textPrimary'}>
          {run.message}
        </Typography>
      )}
      {run.answer && (
        <Typography variant="caption" color="textSecondary" component="p">
          {t('runs.answer', { answer: run.answer })}
        </Typography>
      )}
      {run.import && <ImportLink id={id} run={run.id} imported={run.import.id} />}
    </Box>
  )
}

/**
 * Link to the import of a run, and a button that imports its stored file again after a mapping was
 * corrected.
 */
function ImportLink({ id, run, imported }: { id: number; run: number; imported: number }) {
  const { t } = useTranslation('feeds')
  const { submit, pending, error } = useSave({
    save: () => ftpSettingsApi.repeat(id, run),
    message: () => t('runs.repeated'),
    startsJob: true,
  })
  return (
    <>
      {error != null && <FormErrors error={error} />}
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Link component={RouterLink} to={`${importing.path}/${imported}`} variant="body2">
          {t('runs.import')}
        </Link>
        <Button size="small" startIcon={<RotateCcw size={14} />} loading={pending} onClick={() => submit(undefined)}>
          {t('runs.again')}
        </Button>
      </Box>
    </>
  )
}
