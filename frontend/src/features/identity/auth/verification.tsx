import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { $api } from '~/api/client'
import { isApiError } from '~/api/errors'
import { useDocumentTitle } from '~/kit/ui/document-title'
import { LoadFailed } from '~/kit/ui/load-failed'
import { useAddressParams } from '~/lib/address-params'
import { FinalMessage, Heading, Loading } from './card'
import { NewPasswordForm } from './new-password-form'
import { invitationLink } from './password-link'

const HOUR = 3_600_000

/** Landing page of an invitation: shows the account, sets the first password and then leads to sign-in. */
export default function Verification() {
  const [params] = useAddressParams()
  const token = params.get('token') ?? ''
  const { t } = useTranslation('auth')
  const [accepted, setAccepted] = useState(false)
  const [refused, setRefused] = useState(false)
  const { data, error, isFetching, refetch } = useQuery(
    $api.queryOptions('get', '/api/verification/{token}', { params: { path: { token } } }, { enabled: token !== '', staleTime: HOUR }),
  )
  useDocumentTitle(t('verification.title'))

  if (token === '' || refused || isApiError(error, 'invalid_link')) return <InvalidLink />
  if (error) return <LoadFailed page error={error} retry={() => void refetch()} pending={isFetching} />
  if (!data) return <Loading />
  if (accepted) {
    return (
      <FinalMessage title={t('verification.doneTitle')} email={data.email}>
        {t('verification.doneBody', { email: data.email })}
      </FinalMessage>
    )
  }
  return (
    <Stack spacing={3}>
      <Heading title={t('verification.welcome', { name: data.name })}>{t('verification.intro')}</Heading>
      <NewPasswordForm
        link={invitationLink(token)}
        email={data.email}
        onDone={() => setAccepted(true)}
        onInvalid={() => setRefused(true)}
      />
    </Stack>
  )
}

function InvalidLink() {
  const { t } = useTranslation('auth')
  return (
    <FinalMessage title={t('verification.invalidTitle')}>
      <Stack component="span" spacing={1}>
        <span>{t('verification.invalidBody')}</span>
        <span>{t('verification.invalidUsed')}</span>
        <span>{t('verification.invalidExpired')}</span>
      </Stack>
    </FinalMessage>
  )
}
