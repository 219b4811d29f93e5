import Box from '@mui/material/Box'
import { type Control, type FieldValues, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type FtpSchedule, scheduleTypeValues } from '~/api/schema'
import { EnumField, TextField } from '~/kit/form/fields'
import { TimeField } from '~/kit/form/time-fields'
import { PAIR } from './layout'
import { NextRuns, type PreviewRuns } from './next-runs'
import { FIELDS_OF } from './schedule'
import { useWeekdays } from './weekdays'

interface Props<T extends FieldValues, C> {
  control: Control<T, C, FieldValues>
  /** Name of the field with the schedule. */
  name: string
  preview: PreviewRuns
}

/** Fields of a schedule, with its next runs. Their texts are those of the FTP settings. */
export function ScheduleFields<T extends FieldValues, C>({ name, preview, ...props }: Props<T, C>) {
  const { t } = useTranslation('ftpSettings')
  const weekdays = useWeekdays()
  // the field names depend on the path of the schedule in the form
  const control = props.control as unknown as Control<FieldValues, unknown, FieldValues>
  const type: FtpSchedule['type'] = useWatch({ control, name: `${name}.type` })
  const fields: readonly string[] = FIELDS_OF[type]
  return (
    <>
      <Box sx={PAIR}>
        <EnumField
          control={control}
          name={`${name}.type`}
          label={t('fields.type')}
          labelOf={(value) => t(`enums.type.${value as FtpSchedule['type']}`)}
          required
          values={scheduleTypeValues}
        />
        {type === 'twice_monthly' && <Box sx={{ display: { xs: 'none', sm: 'block' } }} />}
        {type === 'weekly' && (
          <EnumField
            control={control}
            name={`${name}.day`}
            label={t('fields.weekday')}
            required
            values={weekdays.map(({ number }) => number)}
            labelOf={(value) => weekdays.find(({ number }) => number === value)?.name ?? value}
          />
        )}
        {type !== 'weekly' && fields.includes('day') && (
          <TextField control={control} name={`${name}.day`} label={t('fields.day')} help={t('help.day')} required max={2} />
        )}
        <TimeField control={control} name={`${name}.time`} label={t('fields.time')} required />
        {fields.includes('day_2') && (
          <TextField control={control} name={`${name}.day_2`} label={t('fields.day_2')} help={t('help.day')} required max={2} />
        )}
        {fields.includes('time_2') && (
          <TimeField
            control={control}
            name={`${name}.time_2`}
            label={t('fields.time_2')}
            required={type === 'twice_daily'}
            {...(type === 'twice_monthly' && { help: t('help.time_2') })}
          />
        )}
      </Box>
      <NextRuns control={control} name={name} preview={preview} />
    </>
  )
}
