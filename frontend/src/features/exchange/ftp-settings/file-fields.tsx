import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Pause, Play } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type FtpFileKind, ftpTransformerValues, scheduleTypeValues } from '~/api/schema'
import { CheckField, EnumField, TextField } from '~/kit/form/fields'
import { TimeField } from '~/kit/form/time-fields'
import { useSave } from '~/kit/form/use-save'
import { Card } from '~/kit/ui/card'
import { FormErrors } from '~/kit/ui/form-errors'
import { ftpSettingsApi } from './api'
import { PAIR } from './layout'
import { NextRuns } from './next-runs'
import { ProfileSelect } from './profile-select'
import { FIELDS_OF, type FtpForm, type FtpFormProps, STOCK_TRANSFORMERS, takesProfile } from './schema'
import { useWeekdays } from './weekdays'

interface Props extends FtpFormProps {
  kind: FtpFileKind
}

/** A kind of files: its name on the server, how it is read, and when. */
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
            <Schedule form={form} kind={kind} />
          </>
        )}
      </Box>
    </Card>
  )
}

function Schedule({ form, kind }: Omit<Props, 'row'>) {
  const { t } = useTranslation('ftpSettings')
  const weekdays = useWeekdays()
  const { control } = form
  const type = useWatch({ control, name: `schedules.${kind}.type` })
  const fields: readonly string[] = FIELDS_OF[type]
  const at = <const N extends string>(name: N) => `schedules.${kind}.${name}` as const
  return (
    <>
      <Box sx={PAIR}>
        <EnumField
          control={control}
          name={at('type')}
          label={t('fields.type')}
          labelOf={(value) => t(`enums.type.${value as FtpForm['schedules']['price']['type']}`)}
          required
          values={scheduleTypeValues}
        />
        {type === 'twice_monthly' && <Box sx={{ display: { xs: 'none', sm: 'block' } }} />}
        {type === 'weekly' && (
          <EnumField
            control={control}
            name={at('day')}
            label={t('fields.weekday')}
            required
            values={weekdays.map(({ number }) => number)}
            labelOf={(value) => weekdays.find(({ number }) => number === value)?.name ?? value}
          />
        )}
        {type !== 'weekly' && fields.includes('day') && (
          <TextField control={control} name={at('day')} label={t('fields.day')} help={t('help.day')} required max={2} />
        )}
        <TimeField control={control} name={at('time')} label={t('fields.time')} required />
        {fields.includes('day_2') && (
          <TextField control={control} name={at('day_2')} label={t('fields.day_2')} help={t('help.day')} required max={2} />
        )}
        {fields.includes('time_2') && (
          <TimeField
            control={control}
            name={at('time_2')}
            label={t('fields.time_2')}
            required={type === 'twice_daily'}
            {...(type === 'twice_monthly' && { help: t('help.time_2') })}
          />
        )}
      </Box>
      <NextRuns control={control} kind={kind} />
    </>
  )
}

/** Pauses the schedule that is saved. What is typed but not saved would be met by another version. */
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
