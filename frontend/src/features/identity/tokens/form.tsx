import Typography from '@mui/material/Typography'
import { use, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonalAccessToken } from '~/api/schema'
import { FieldShell } from '~/kit/form/field-shell'
import { TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/records/record-form'
import { useConfig } from '~/session/config'
import { AbilitiesField } from './abilities-field'
import { tokens } from './api'
import { AbilityChips, LastUse, MaskedToken, TokenExpiry } from './chips'
import { IssuedContext } from './issued'
import { LifetimeField } from './lifetime'
import { token } from './resource'
import { toForm, tokenSchema } from './schema'

export default function TokenForm() {
  const show = use(IssuedContext)
  const { time_zone } = useConfig()
  const schema = useMemo(() => tokenSchema(time_zone), [time_zone])
  const api = {
    ...tokens,
    create: async (body: Parameters<typeof tokens.create>[0]) => {
      const newToken = await tokens.create(body)
      show(newToken)
      return newToken.token
    },
  }
  return (
    <RecordForm
      resource={token}
      api={api}
      schema={schema}
      toForm={(row: PersonalAccessToken | null) => toForm(row)}
      writable={(row) => row.own}
    >
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          {row ? (
            <Facts token={row} />
          ) : (
            <>
              <AbilitiesField control={control} />
              <LifetimeField control={control} />
            </>
          )}
        </>
      )}
    </RecordForm>
  )
}

/** Read-only properties of a token. */
function Facts({ token }: { token: PersonalAccessToken }) {
  const { t } = useTranslation('tokens')
  const facts = [
    ['user_id', token.user.name],
    ['abilities', <AbilityChips key="" token={token} />],
    ['token', <MaskedToken key="" token={token} />],
    ['expires_at', <TokenExpiry key="" token={token} />],
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
