import Alert from '@mui/material/Alert'
import { useTranslation } from 'react-i18next'
import { importTypeValues } from '~/api/schema'
import { holdsTable, useImportable } from '~/features/exchange/imports/may-import'
import { EnumField, TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/records/record-form'
import { importProfiles } from './api'
import { ProfileContents } from './profile-contents'
import { importProfile } from './resource'
import { importProfileSchema, toForm } from './schema'

export default function ImportProfileForm() {
  const { t } = useTranslation('importProfiles')
  const { t: texts } = useTranslation('imports')
  const importable = useImportable()
  const tables = importTypeValues.filter(holdsTable)
  return (
    <RecordForm
      resource={importProfile}
      api={importProfiles}
      schema={importProfileSchema}
      toForm={toForm}
      writable={({ type }) => importable.includes(type)}
    >
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <EnumField
            control={control}
            name="type"
            required
            values={tables}
            disabled={row !== null}
            blocked={(type) => (importable.some((mine) => mine === type) ? null : texts('notAllowed'))}
          />
          {row && <ProfileContents profile={row} />}
          <Alert severity="info" role="note">
            {t('changeHint')}
          </Alert>
        </>
      )}
    </RecordForm>
  )
}
