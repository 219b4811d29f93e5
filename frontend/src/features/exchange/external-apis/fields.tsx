import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Collapse from '@mui/material/Collapse'
import { useEffect, useId, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type ExternalApiOptions, externalApiAuthenticationValues } from '~/api/schema'
import { PAIR } from '~/features/exchange/shared/layout'
import { SecretField } from '~/features/exchange/shared/secret-field'
import { CheckField, EnumField, TextField } from '~/kit/form/fields'
import { Card } from '~/kit/ui/card'
import { TabList, TabPanel } from '~/kit/ui/tab-list'
import { externalApis } from './api'
import { Calls } from './calls'
import { EndpointFields } from './endpoint-fields'
import { FetchFields } from './fetch-fields'
import { clearsApiSecret, type ExternalApiFormProps } from './schema'

interface Props extends ExternalApiFormProps {
  options: ExternalApiOptions
}

const TABS = ['connection', 'availability', 'metaData', 'calls'] as const
type Tab = (typeof TABS)[number]

/** Tabs that contain an invalid field. */
function faultyTabs(errors: object): Tab[] {
  const names = Object.keys(errors)
  const isOnConnection = names.some((name) => !['availability', 'meta_data', 'schedule'].includes(name))
  return [
    ...(isOnConnection ? (['connection'] as const) : []),
    ...(names.includes('availability') ? (['availability'] as const) : []),
    ...(names.includes('meta_data') || names.includes('schedule') ? (['metaData'] as const) : []),
  ]
}

/** Settings of an external API in tabs. Submitting opens the first tab with an error. */
export function ExternalApiFields({ form, row, options }: Props) {
  const { t } = useTranslation('externalApis')
  const prefix = useId()
  const [tab, setTab] = useState<Tab>('connection')
  const { errors, submitCount } = form.formState
  const faulty = faultyTabs(errors)
  const faults = faulty.join()
  useEffect(() => {
    const [first] = faults.split(',') as (Tab | '')[]
    if (submitCount === 0 || !first) return
    setTab((now) => (faults.includes(now) ? now : first))
    // a field on a hidden tab cannot take the focus
    const timer = setTimeout(() => {
      if (document.activeElement?.closest('[aria-invalid=true]')) return
      document.querySelector<HTMLElement>('[role=tabpanel]:not([hidden]) [aria-invalid=true]')?.focus()
    })
    return () => clearTimeout(timer)
  }, [submitCount, faults])
  const panel = { prefix, current: tab }
  return (
    <>
      <TabList
        label={t('tabs.label')}
        prefix={prefix}
        tabs={TABS.filter((id) => id !== 'calls' || row).map((id) => ({
          id,
          text: t(`tabs.${id}`),
          fault: faulty.includes(id) ? t('tabs.fault') : null,
        }))}
        current={tab}
        onChange={setTab}
      />
      <TabPanel {...panel} id="connection">
        <Connection form={form} row={row} options={options} />
      </TabPanel>
      <TabPanel {...panel} id="availability">
        <EndpointFields form={form} row={row} endpoint="availability" />
      </TabPanel>
      <TabPanel {...panel} id="metaData">
        <EndpointFields form={form} row={row} endpoint="articles" />
        <EndpointFields form={form} row={row} endpoint="warehouses" />
        <EndpointFields form={form} row={row} endpoint="tenants" />
        <FetchFields form={form} row={row} />
      </TabPanel>
      {row && (
        <TabPanel {...panel} id="calls">
          {tab === 'calls' && <Calls id={row.id} />}
        </TabPanel>
      )}
    </>
  )
}

function Connection({ form, row, options }: Props) {
  const { t } = useTranslation('externalApis')
  const { control } = form
  const [base_url, authentication, username, header_name, token_url, secret] = useWatch({
    control,
    name: ['base_url', 'authentication', 'username', 'header_name', 'token_url', 'secret'],
  })
  const clearsSecret = clearsApiSecret(row, { base_url, authentication, username, header_name, token_url, secret })
  const removal = row?.secret_set
    ? {
        title: t('secret.remove'),
        body: t('secret.removeBody'),
        removed: t('secret.removed'),
        run: () => externalApis.removeSecret(row.id, row.version),
      }
    : null
  return (
    <>
      <Card title={t('connection')} intro={t('connectionIntro')}>
        <Box sx={{ display: 'grid', gap: 2.5 }}>
          <CheckField control={control} name="active" />
          <TextField control={control} name="base_url" required max={2_000} />
          <Box sx={PAIR}>
            <EnumField control={control} name="authentication" required values={externalApiAuthenticationValues} />
            {authentication === 'header' && <TextField control={control} name="header_name" required max={100} />}
            {(authentication === 'basic' || authentication === 'oauth2') && (
              <TextField
                control={control}
                name="username"
                label={t(authentication === 'oauth2' ? 'fields.client_id' : 'fields.username')}
                required
                max={255}
              />
            )}
            {authentication !== 'none' && (
              <SecretField
                control={control}
                name="secret"
                label={t(`enums.secret.${authentication}`)}
                removal={removal}
                disabled={!options.secrets_available}
              />
            )}
          </Box>
          {authentication === 'oauth2' && (
            <Box sx={PAIR}>
              <TextField control={control} name="token_url" required max={2_000} />
              <TextField control={control} name="scope" max={1_000} />
            </Box>
          )}
          <Collapse in={clearsSecret} unmountOnExit>
            <Alert severity="warning">{t('secret.willClear')}</Alert>
          </Collapse>
        </Box>
      </Card>
      <Card title={t('limits')}>
        <Box sx={{ display: 'grid', gap: 2.5 }}>
          <Box sx={PAIR}>
            <TextField control={control} name="timeout_ms" required max={5} adornment="ms" />
            <TextField control={control} name="cache_seconds" required max={5} adornment="s" />
          </Box>
          <TextField control={control} name="ca_certificate" rows={2} mono />
        </Box>
      </Card>
    </>
  )
}
