import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FtpSettings } from '~/api/schema'
import { useSave } from '~/kit/form/use-save'
import { BusyButton } from '~/kit/ui/busy-button'
import { FormErrors } from '~/kit/ui/form-errors'
import { ftpSettingsApi } from './api'

/** Host key of the saved SFTP server: shown, entered or replaced. */
export function HostKey({ row }: { row: FtpSettings }) {
  const { t } = useTranslation('ftpSettings')
  const id = useId()
  const [typed, setTyped] = useState(row.host_key ?? '')
  const { submit, pending, error } = useSave({
    save: (key: string) => ftpSettingsApi.trustHostKey(row.id, key, row.version),
    message: () => t('hostKey.trusted'),
    undoable: true,
  })
  const key = typed.trim()
  return (
    <div>
      <FormErrors error={error} />
      <FormLabel htmlFor={id} sx={{ display: 'block', mb: 0.5 }}>
        {t('fields.host_key')}
      </FormLabel>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        <OutlinedInput
          id={id}
          value={typed}
          placeholder={t('hostKey.none')}
          onChange={(event) => setTyped(event.target.value)}
          inputProps={{ autoComplete: 'off', spellCheck: false, maxLength: 255, 'aria-describedby': `${id}-help` }}
          sx={{ flex: '1 1 18rem' }}
        />
        <BusyButton
          variant="outlined"
          color="inherit"
          busy={pending}
          disabled={key === '' || key === row.host_key}
          onClick={() => submit(key)}
        >
          {t('actions.trust')}
        </BusyButton>
      </Box>
      <FormHelperText id={`${id}-help`}>{t('hostKey.body')}</FormHelperText>
    </div>
  )
}
