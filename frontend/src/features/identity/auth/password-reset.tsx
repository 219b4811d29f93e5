import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { $api } from '~/api/client'
import { isApiError } from '~/api/errors'
import { useDocumentTitle } from '~/kit/ui/document-title'
import { LoadFailed } from '~/kit/ui/load-failed'
import { useAddressParams } from '~/lib/address-params'
import { FinalMessage, Heading, Loading } from './card'
import { NewPasswordForm } from './new-password-form'
import { resetLink } from './password-link'

/** Landing page of the mail about a forgotten password: sets a new one and then leads to sign-in. */
export function PasswordReset() {
  const { t } = useTranslation('passwordReset')
  const [params] = useAddressParams()
  const id = params.get('id') ?? ''
  const secret = useLocation().hash.slice(1)
  const complete = id !== '' && secret !== ''
  const [changed, setChanged] = useState(false)
  const [refused, setRefused] = useState(false)
  const { data, error, isFetching, refetch } = useQuery(
    $api.queryOptions(
      'post',
      '/api/password-reset/{id}',
      { params: { path: { id } }, body: { secret } },
      { enabled: complete, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
    ),
  )
  useDocumentTitle(t('reset.title'))

  if (!complete || refused || isApiError(error, 'invalid_link')) return <InvalidLink />
  if (error) return <LoadFailed page error={error} retry={() => void refetch()} pending={isFetching} />
  if (!data) return <Loading />
  if (changed) {
    return (
      <FinalMessage title={t('reset.doneTitle')} email={data.email}>
        {t('reset.doneBody')}
      </FinalMessage>
    )
  }
  return (
    <Stack spacing={3}>
      <Heading title={t('reset.title')}>{t('reset.intro')}</Heading>
      <NewPasswordForm link={resetLink(id, secret)} email={data.email} onDone={() => setChanged(true)} onInvalid={() => setRefused(true)} />
    </Stack>
  )
}

function InvalidLink() {
  const { t } = useTranslation('passwordReset')
  return (
    <FinalMessage
      title={t('reset.invalidTitle')}
      actions={
        <Button component={Link} to="/forgot-password" variant="contained" size="large" fullWidth>
          {t('reset.again')}
        </Button>
      }
    >
      {t('reset.invalidBody')}
    </FinalMessage>
  )
}
