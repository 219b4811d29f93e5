import Typography from '@mui/material/Typography'
import { use } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { PersonalAccessToken } from '~/api/schema'
import { DateField } from '~/kit/form/date-field'
import { FieldShell } from '~/kit/form/field-shell'
import { EnumField, TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/form/record-form'
import { useAccess } from '~/session/access'
import { AbilitiesField } from './abilities-field'
import { tokens } from './api'
import { AbilityChips, Expiry, Fingerprint, LastUse } from './chips'
import { dayInDays, LONGEST } from './expiry'
import { IssuedContext } from './issued'
import { type TokenForm as Form, LIFETIMES, toForm, tokenSchema } from './schema'

export default function TokenForm() {
  const may = useAccess('token')
  const show = use(IssuedContext)
  const api = {
    ...tokens,
    create: async (body: Parameters<typeof tokens.create>[0]) => {
      const issued = await tokens.create(body)
      show(issued)
      return issued.token
    },
  }
  return (
    <RecordForm
      ns="tokens"
      api={api}
      schema={tokenSchema}
      toForm={(row: PersonalAccessToken | null) => toForm(row)}
      name={(row) => row.name}
      may={may}
      writable={(row) => row.own}
    >
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus />
          {row ? (
            <Facts token={row} />
          ) : (
            <>
              <AbilitiesField control={control} />
              <Lifetime control={control} />
            </>
          )}
        </>
      )}
    </RecordForm>
  )
}

function Lifetime<C, O>({ control }: { control: Control<Form, C, O> }) {
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

/** What does not change. */
function Facts({ token }: { token: PersonalAccessToken }) {
  const { t } = useTranslation('tokens')
  const facts = [
    ['user_id', token.user.name],
    ['abilities', <AbilityChips key="" token={token} />],
    ['token', <Fingerprint key="" token={token} />],
    ['expires_at', <Expiry key="" token={token} />],
    ['last_used_at', <LastUse key="" token={token} />],
  ] as const
  return facts.map(([name, value]) => (
    <FieldShell key={name} id={`token-${name}`} label={t(`fields.${name}`)} help="" error={null} group>
      <Typography component="div" variant="body2">
        {value}
      </Typography>
    </FieldShell>
  ))
}
