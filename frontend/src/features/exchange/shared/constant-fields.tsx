import Box from '@mui/material/Box'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useTranslation } from 'react-i18next'
import type { ImportField } from '~/api/schema'
import { Labelled } from './reading-fields'
import type { Constants } from './settings'

interface Props {
  fields: readonly ImportField[]
  constants: Constants
  onChange: (field: string, value: string) => void
}

/** Inputs for fields without a column: one value for all rows. */
export function ConstantFields({ fields, constants, onChange }: Props) {
  const { t } = useTranslation('imports')
  if (fields.length === 0) return null
  return (
    <Box component="fieldset" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 1.5, m: 0, p: 0, border: 0 }}>
      <Box component="legend" sx={{ typography: 'body2', color: 'text.secondary', p: 0, mb: 1 }}>
        {t('wizard.constants.legend')}
      </Box>
      {fields.map(({ key, label }) => (
        <Labelled key={key} label={label}>
          {(id) => (
            <OutlinedInput
              id={id}
              size="small"
              value={constants[key] ?? ''}
              inputProps={{ maxLength: 255, autoComplete: 'off' }}
              onChange={(event) => onChange(key, event.target.value)}
              sx={{ width: 150 }}
            />
          )}
        </Labelled>
      ))}
    </Box>
  )
}
