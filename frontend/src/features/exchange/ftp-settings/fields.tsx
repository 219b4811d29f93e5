import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Collapse from '@mui/material/Collapse'
import { Suspense } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type FtpSettingsOptions, ftpAfterReadingValues, ftpProtocolValues } from '~/api/schema'
import { PAIR } from '~/features/exchange/shared/layout'
import { EnumField, TextField } from '~/kit/form/fields'
import { Card } from '~/kit/ui/card'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { FileFields } from './file-fields'
import { HostKey } from './host-key'
import { clearsFtpSecret, DEFAULT_PORTS, type FtpControl, type FtpFormProps } from './schema'
import { FtpSecretField } from './secret-field'

const ConnectionTest = lazyWithTexts(() => import('./connection-test'))

interface Props extends FtpFormProps {
  options: FtpSettingsOptions
}

export function FtpFields({ form, row, options }: Props) {
  const { t } = useTranslation('ftpSettings')
  const { control } = form
  return (
    <>
      <Card title={t('connection')}>
        <Connection form={form} row={row} options={options} />
      </Card>
      <FileFields form={form} row={row} kind="price" />
      <FileFields form={form} row={row} kind="stock" />
      <Card title={t('afterReading')}>
        <AfterReadingFields control={control} />
      </Card>
      <Suspense fallback={null}>
        <ConnectionTest form={form} row={row} />
      </Suspense>
    </>
  )
}

function Connection({ form, row, options }: Props) {
  const { t } = useTranslation('ftpSettings')
  const { control } = form
  const [protocol, host, port, username, password, private_key] = useWatch({
    control,
    name: ['protocol', 'host', 'port', 'username', 'password', 'private_key'],
  })
  const clearsSecret = clearsFtpSecret(row, { protocol, host, port, username, password, private_key })
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      <Box sx={PAIR}>
        <EnumField
          control={control}
          name="protocol"
          required
          values={ftpProtocolValues}
          // resets a port that is another protocol's default
          onPick={() => Object.values<string>(DEFAULT_PORTS).includes(port) && form.setValue('port', '')}
          blocked={(value) => (value === 'ftp' && !options.plain_ftp_allowed ? t('plainFtpOff') : null)}
        />
        <TextField control={control} name="host" required max={255} />
      </Box>
      <Box sx={PAIR}>
        <TextField control={control} name="port" max={5} help={t('portHelp', { port: DEFAULT_PORTS[protocol] })} />
        <TextField control={control} name="base_path" max={255} />
      </Box>
      <Box sx={PAIR}>
        <TextField control={control} name="username" required max={255} />
        <FtpSecretField control={control} name="password" row={row} disabled={!options.secrets_available} />
      </Box>
      {protocol === 'sftp' && (
        <Box sx={PAIR}>
          <FtpSecretField control={control} name="private_key" rows={2} row={row} disabled={!options.secrets_available} />
          <FtpSecretField control={control} name="private_key_passphrase" row={row} disabled={!options.secrets_available} />
        </Box>
      )}
      <Collapse in={clearsSecret} unmountOnExit>
        <Alert severity="warning">{t('secret.willClear')}</Alert>
      </Collapse>
      {protocol === 'ftps' && <TextField control={control} name="ca_certificate" rows={2} mono />}
      {protocol === 'sftp' && row?.protocol === 'sftp' && <HostKey key={row.host_key} row={row} />}
    </Box>
  )
}

function AfterReadingFields({ control }: { control: FtpControl }) {
  const after = useWatch({ control, name: 'after_reading' })
  return (
    <Box sx={PAIR}>
      <EnumField control={control} name="after_reading" required values={ftpAfterReadingValues} />
      {after === 'move' && <TextField control={control} name="processed_folder" required max={255} />}
    </Box>
  )
}
