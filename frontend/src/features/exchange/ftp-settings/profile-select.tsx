import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { FtpFileKind } from '~/api/schema'
import { importProfiles } from '~/features/exchange/import-profiles/api'
import { FieldShell, useField } from '~/kit/form/field-shell'
import { NativeSelect } from '~/kit/ui/native-select'
import type { FtpControl } from './schema'

interface Props {
  control: FtpControl
  kind: FtpFileKind
  /** False if the profile is optional for the format. */
  required: boolean
}

const TYPES = { price: 'Price', stock: 'Stock' } as const

/** Select for the import profile that a file is read with. */
export function ProfileSelect({ control, kind, required }: Props) {
  const { t } = useTranslation('ftpSettings')
  const isPriceList = useWatch({ control, name: 'price_file.as_price_list' }) && kind === 'price'
  const { data } = useQuery(importProfiles.ofType(isPriceList ? 'PriceList' : TYPES[kind]))
  const profiles = data?.data ?? []
  const { field, id, label, error, describedBy, disabled } = useField({
    control,
    name: `${kind}_profile_id`,
    label: t('fields.profile_id'),
    help: '',
  })
  const value = field.value as number | null
  const help = data && profiles.length === 0 && required ? t('noProfiles') : required ? '' : t('profileHelp')
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={required}>
      <NativeSelect
        name={field.name}
        inputRef={field.ref}
        value={value ?? ''}
        disabled={disabled}
        onChange={(event) => field.onChange(event.target.value === '' ? null : Number(event.target.value))}
        onBlur={field.onBlur}
        inputProps={{ id, 'aria-required': required, 'aria-describedby': describedBy }}
      >
        <option value="">{t(required ? 'choose' : 'noProfile')}</option>
        {value !== null && !profiles.some((profile) => profile.id === value) && <option value={value}>#{value}</option>}
        {profiles.map((profile) => (
          <option key={profile.id} value={profile.id}>
            {profile.name}
          </option>
        ))}
      </NativeSelect>
    </FieldShell>
  )
}
