import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FtpSettings, FtpTest, FtpTestPlan, FtpTestStep } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useSave } from '~/kit/form/use-save'
import { FormErrors } from '~/kit/ui/form-errors'
import { ftpSettingsApi } from './api'

const OUTCOMES = {
  done: { icon: CircleCheck, color: 'success.main' },
  failed: { icon: CircleX, color: 'error.main' },
  skipped: { icon: CircleMinus, color: 'text.secondary' },
} as const

interface Props {
  test: FtpTest
  row: FtpSettings | null
}

/** Five steps of a test with their findings. */
export function TestSteps({ test, row }: Props) {
  const { t } = useTranslation('ftpSettings')
  const hasFailed = test.steps.some((step) => step.outcome === 'failed')
  return (
    <Box component="ol" aria-label={t('test.title')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5 }}>
      {test.steps.map((step) => (
        <Step key={step.step} step={step}>
          {step.outcome === 'skipped' && !hasFailed && <Line>{t(test.fetched ? 'test.notNeeded' : 'test.noFile')}</Line>}
          <StepFindings test={test} step={step} row={row} />
        </Step>
      ))}
    </Box>
  )
}

function Step({ step, children }: { step: FtpTestStep; children: ReactNode }) {
  const { t } = useTranslation('ftpSettings')
  const { decimal } = useFormat()
  const { icon, color } = OUTCOMES[step.outcome]
  return (
    <Box component="li" sx={{ display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', columnGap: 1.25 }}>
      <Box component={icon} size={18} aria-hidden sx={{ color, mt: '2px' }} />
      <Box sx={{ overflowWrap: 'anywhere' }}>
        <Typography variant="body2">
          <strong>{t(`test.steps.${step.step}`)}</strong>
          {` · ${t(`test.outcomes.${step.outcome}`)}`}
          {step.duration_ms !== null && ` · ${t('test.duration', { seconds: decimal(step.duration_ms / 1000, 2) })}`}
        </Typography>
        {step.message && <Line color="error">{step.message}</Line>}
        {step.answer && <Line>{t('test.answer', { text: step.answer })}</Line>}
        {children}
      </Box>
    </Box>
  )
}

function Line({ children, color = 'textSecondary' }: { children: ReactNode; color?: 'textSecondary' | 'error' }) {
  return (
    <Typography variant="body2" color={color}>
      {children}
    </Typography>
  )
}

/** Findings of a step. */
function StepFindings({ test, step, row }: Props & { step: FtpTestStep }) {
  const { t } = useTranslation('ftpSettings')
  const { bytes } = useFormat()
  const { folder, fetched, transformed, plan, host_key } = test
  if (step.step === 'connect') return host_key ? <ShownKey hostKey={host_key} row={row} /> : null
  if (step.step === 'list' && folder) {
    return (
      <>
        <Line>{t('test.listed', { entries: folder.entries, matching: folder.matching })}</Line>
        {folder.unsafe_names > 0 && <Line>{t('test.unsafe', { count: folder.unsafe_names })}</Line>}
      </>
    )
  }
  if (step.step === 'fetch' && fetched) return <Line>{`${fetched.name} · ${bytes(fetched.bytes)}`}</Line>
  if (step.step === 'transform' && transformed) {
    return (
      <>
        <Line>{t('test.transformed', { rows: transformed.rows, problems: transformed.problem_count })}</Line>
        {transformed.problems.map((problem) => (
          <Line key={problem}>{problem}</Line>
        ))}
      </>
    )
  }
  return step.step === 'plan' && plan ? <Plan plan={plan} /> : null
}

function Plan({ plan }: { plan: FtpTestPlan }) {
  const { t } = useTranslation('ftpSettings')
  const { list } = useFormat()
  const { rows, columns, counts, problems, refused } = plan
  const names = (isRead: boolean) => columns.filter(({ field }) => (field !== null) === isRead).map(({ name }) => name || '–')
  const [read, unread] = [names(true), names(false)]
  return (
    <>
      <Line>{rows === null ? t('test.manyRows') : t('test.rows', { count: rows })}</Line>
      {read.length > 0 && <Line>{t('test.read', { names: list(read) })}</Line>}
      {unread.length > 0 && <Line>{t('test.unread', { names: list(unread) })}</Line>}
      {problems.map((problem) => (
        <Line key={problem} color="error">
          {problem}
        </Line>
      ))}
      {counts ? <Line>{t('test.counts', { ...counts })}</Line> : problems.length === 0 && <Line>{t('test.notTried')}</Line>}
      {refused.map((group) => (
        <Line key={`${group.line} ${group.column} ${group.message}`}>
          {t('test.refusedRows', { ...group, place: group.column ? `${group.column}: ` : '' })}
        </Line>
      ))}
    </>
  )
}

/** Host key that the server has presented, to be compared and trusted. */
function ShownKey({ hostKey, row }: { hostKey: string; row: FtpSettings | null }) {
  const { t } = useTranslation('ftpSettings')
  const { submit, pending, error } = useSave({
    save: ({ id, version }: FtpSettings) => ftpSettingsApi.trustHostKey(id, hostKey, version),
    message: () => t('hostKey.trusted'),
    undoable: true,
  })
  const isTrusted = row?.host_key === hostKey
  return (
    <>
      <Line>{t(isTrusted ? 'test.trustedKey' : 'test.newKey', { key: hostKey })}</Line>
      <FormErrors error={error} />
      {!isTrusted && row?.protocol === 'sftp' && (
        <Button size="small" sx={{ ml: -0.5 }} loading={pending} onClick={() => submit(row)}>
          {t('actions.trust')}
        </Button>
      )}
    </>
  )
}
