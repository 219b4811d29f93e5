import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Pause, Play } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type FtpFileKind, ftpTransformerValues } from '~/api/schema'
import { PAIR } from '~/features/exchange/shared/layout'
import { ScheduleFields } from '~/features/exchange/shared/schedule-fields'
import { CheckField, EnumField, TextField } from '~/kit/form/fields'
import { useSave } from '~/kit/form/use-save'
import { Card } from '~/kit/ui/card'
import { FormErrors } from '~/kit/ui/form-errors'
import { ftpSettingsApi } from './api'
import { ProfileSelect } from './profile-select'
import { type FtpForm, type FtpFormProps, STOCK_TRANSFORMERS, takesProfile } from './schema'

interface Props extends FtpFormProps {
  kind: FtpFileKind
}

/** Fields for a kind of file: its name on the server, its format, and its schedule. */
export function FileFields({ form, row, kind }: Props) {
  const { t } = useTranslation('ftpSettings')
  const { control } = form
  const enabled = useWatch({ control, name: `${kind}_file.enabled` })
  const transformer = useWatch({ control, name: `${kind}_file.transformer` })
  const asPriceList = useWatch({ control, name: 'price_file.as_price_list' })
  return (
    <Card title={t(`fields.${kind}_file`)} action={<PauseButton form={form} row={row} kind={kind} />}>
      <Box sx={{ display: 'grid', gap: 2.5 }}>
        <CheckField control={control} name={`${kind}_file.enabled`} label={t('fields.enabled')} />
        {enabled && (
          <>
            <TextField
              control={control}
              name={`${kind}_file.file_name`}
              label={t('fields.file_name')}
              help={t('help.file_name')}
              required
              max={255}
            />
            <Box sx={PAIR}>
              <EnumField
                control={control}
                name={`${kind}_file.transformer`}
                label={t('fields.transformer')}
                labelOf={(value) => t(`enums.transformer.${value as FtpForm['price_file']['transformer']}`)}
                required
                values={kind === 'stock' ? STOCK_TRANSFORMERS : ftpTransformerValues}
              />
              {takesProfile(transformer) && <ProfileSelect control={control} kind={kind} required={transformer === 'import_profile'} />}
            </Box>
            {kind === 'stock' && transformer === 'bmecat' && (
              <TextField
                control={control}
                name="stock_file.quantity_element"
                label={t('fields.quantity_element')}
                help={t('help.quantity_element')}
                required
                max={100}
              />
            )}
            {kind === 'price' && (
              <Box sx={PAIR}>
                <CheckField
                  control={control}
                  name="price_file.as_price_list"
                  label={t('fields.as_price_list')}
                  help={t('asPriceListHelp')}
                />
                {asPriceList && (
                  <TextField
                    control={control}
                    name="price_file.price_list_name"
                    label={t('fields.price_list_name')}
                    help={t('help.price_list_name')}
                    required
                    max={255}
                  />
                )}
              </Box>
            )}
            <ScheduleFields control={control} name={`schedules.${kind}`} preview={ftpSettingsApi.previewRuns} />
          </>
        )}
      </Box>
    </Card>
  )
}

/**
 * Pauses the saved schedule. Disabled while the form has changes: saving them would then fail on an outdated
 * version.
 */
function PauseButton({ form, row, kind }: Props) {
  const { t } = useTranslation('ftpSettings')
  const schedule = row?.schedules[kind]
  const paused = schedule?.paused ?? false
  const { submit, pending, error } = useSave({
    save: (id: number) => ftpSettingsApi[paused ? 'resume' : 'pause'](id, kind),
    message: () => t(paused ? 'resumed' : 'paused'),
    undoable: true,
  })
  const { isDirty } = form.formState
  if (!row || !schedule || !row[`${kind}_file`].enabled) return null
  return (
    <>
      {error != null && <FormErrors error={error} />}
      <Button
        size="small"
        startIcon={paused ? <Play size={16} /> : <Pause size={16} />}
        loading={pending}
        disabled={isDirty}
        onClick={() => submit(row.id)}
      >
        {t(paused ? 'actions.resume' : 'actions.pause')}
      </Button>
    </>
  )
}
