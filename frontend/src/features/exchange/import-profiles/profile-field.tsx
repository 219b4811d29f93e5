import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { ImportProfile, ImportType } from '~/api/schema'
import { FieldShell } from '~/kit/form/field-shell'
import { NativeSelect } from '~/kit/ui/native-select'
import { keepTenant } from '~/session/tenant'
import { importProfiles } from './api'
import { ProfileMenu } from './profile-menu'
import { importProfile } from './resource'

interface Props {
  type: ImportType
  value: number | null
  onChange: (id: number | null) => void
  onRenamed: (profile: ImportProfile) => void
}

/** Field for the import profile; hidden if there is none for the type. */
export function ProfileField({ type, value, onChange, onRenamed }: Props) {
  const { t } = useTranslation('importProfiles')
  const id = useId()
  const { data } = useQuery(importProfiles.ofType(type))
  const profiles = data?.data ?? []
  const chosen = profiles.find((profile) => profile.id === value)
  if (profiles.length === 0) return null
  return (
    <FieldShell
      id={id}
      label={t('wizard.label')}
      help=""
      error={null}
      note={
        <Link
          component={RouterLink}
          to={{ pathname: importProfile.path, search: keepTenant(location.search) }}
          target="_blank"
          variant="body2"
          sx={{ alignSelf: 'flex-start', mt: 0.5 }}
        >
          {t('wizard.manage')}
        </Link>
      }
    >
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
        <NativeSelect
          fullWidth
          value={chosen ? String(chosen.id) : ''}
          onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
          inputProps={{ id }}
        >
          <option value="">{t('wizard.none')}</option>
          {profiles.map((profile) => (
            <option key={profile.id} value={profile.id}>
              {profile.name}
            </option>
          ))}
        </NativeSelect>
        {chosen && <ProfileMenu profile={chosen} onRenamed={onRenamed} onDeleted={() => onChange(null)} />}
      </Stack>
    </FieldShell>
  )
}
