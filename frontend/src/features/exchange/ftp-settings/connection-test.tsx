import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { PlugZap } from 'lucide-react'
import { useId, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { FtpFileKind } from '~/api/schema'
import { BusyButton } from '~/kit/ui/busy-button'
import { Card } from '~/kit/ui/card'
import { FormErrors } from '~/kit/ui/form-errors'
import { NativeSelect } from '~/kit/ui/native-select'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { Working } from '~/kit/ui/working'
import { ftpSettingsApi } from './api'
import { connectionTestFields, connectionTestSettings, type FtpFormProps } from './schema'
import { TestSteps } from './test-steps'

/** Tests the current values of the form, saved or not. */
export default function ConnectionTest({ form, row }: FtpFormProps) {
  const { t } = useTranslation('ftpSettings')
  const id = useId()
  const [price, stock] = useWatch({ control: form.control, name: ['price_file.enabled', 'stock_file.enabled'] })
  const files: FtpFileKind[] = [...(price ? ['price' as const] : []), ...(stock ? ['stock' as const] : [])]
  const [chosen, setChosen] = useState<FtpFileKind | null>(null)
  const file = files.find((kind) => kind === chosen) ?? files[0] ?? null
  const test = useMutation({ mutationFn: ftpSettingsApi.test })
  const failed = test.data?.steps.find((step) => step.outcome === 'failed')
  const start = async () => {
    // the schedule may still be incomplete
    if (!(await form.trigger(connectionTestFields(file), { shouldFocus: true }))) return
    const settings = connectionTestSettings(form.getValues(), file)
    if (settings) test.mutate({ file, settings })
  }
  return (
    <Card title={t('test.title')} intro={t('test.intro')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
          {files.length > 1 && (
            <>
              <label htmlFor={id} style={visuallyHidden}>
                {t('test.file')}
              </label>
              <NativeSelect value={file ?? ''} onChange={(event) => setChosen(event.target.value as FtpFileKind)} inputProps={{ id }}>
                {files.map((kind) => (
                  <option key={kind} value={kind}>
                    {t(`fields.${kind}_file`)}
                  </option>
                ))}
              </NativeSelect>
            </>
          )}
          <BusyButton
            variant="outlined"
            color="inherit"
            startIcon={<PlugZap size={16} />}
            busy={test.isPending}
            onClick={() => void start()}
          >
            {t('actions.test')}
          </BusyButton>
        </Box>
        <FormErrors error={test.error} title={t('test.refused')} />
        {test.isPending && <Working>{t('test.running')}</Working>}
        {test.data && !test.isPending && (
          <>
            <Typography variant="body2" role="status" sx={{ fontWeight: 600 }}>
              {failed ? t('test.failedAt', { step: t(`test.steps.${failed.step}`) }) : t('test.passed')}
            </Typography>
            <TestSteps test={test.data} row={row} />
          </>
        )}
      </Box>
    </Card>
  )
}
