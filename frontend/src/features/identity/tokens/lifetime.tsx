import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DateField } from '~/kit/form/date-field'
import { EnumField } from '~/kit/form/fields'
import { dayInDays, LONGEST } from './expiry'
import { LIFETIMES, type Lifetime } from './schema'

interface Form {
  lifetime: Lifetime
  expires_at: string
}

/** Field for the validity of a token: a preset, or a day to be entered. */
export function LifetimeField<F extends Form, C, O>({ control }: { control: Control<F, C, O> }) {
  const { t } = useTranslation('tokens')
  const form = control as unknown as Control<Form>
  const lifetime = useWatch({ control: form, name: 'lifetime' })
  return (
    <>
      <EnumField control={form} name="lifetime" required values={LIFETIMES} labelOf={(value) => t(`lifetimes.${value as '7'}`)} />
      {lifetime === 'day' && (
        <DateField control={form} name="expires_at" required min={dayInDays(0)} max={dayInDays(LONGEST)} label={t('lastDay')} />
      )}
    </>
  )
}
