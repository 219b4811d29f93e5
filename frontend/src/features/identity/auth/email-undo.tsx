import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { $api, client, data } from '~/api/client'
import { isApiError } from '~/api/errors'
import type { RestoredEmail } from '~/api/schema'
import { useDocumentTitle } from '~/kit/ui/document-title'
import { useErrorText } from '~/kit/ui/error-text'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Notice } from '~/kit/ui/notice'
import { useAddressParams } from '~/lib/address-params'
import { FinalMessage, Heading, Loading } from './card'

/**
 * Landing page of the mail about a changed address: restores the former address and then asks for a new
 * password.
 */
export function EmailUndo() {
  const { t } = useTranslation('passwordReset')
  const errorText = useErrorText()
  const [params] = useAddressParams()
  const id = params.get('id') ?? ''
  const secret = useLocation().hash.slice(1)
  const complete = id !== '' && secret !== ''
  const link = { params: { path: { id } }, body: { secret } }
  const emailChange = useQuery(
    $api.queryOptions('post', '/api/email-undo/{id}', link, { enabled: complete, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }),
  )
  const [restored, setRestored] = useState<RestoredEmail | null>(null)
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  async function undo() {
    setPending(true)
    setFailure(null)
    try {
      setRestored(await data(client.PUT('/api/email-undo/{id}', link)))
    } catch (error) {
      setFailure(error)
      // the page shows the reason
      if (isApiError(error, 'link_used') || isApiError(error, 'link_expired')) void emailChange.refetch()
    }
    setPending(false)
  }
  useDocumentTitle(t('undo.title'))

  if (!complete || isApiError(emailChange.error, 'invalid_link'))
    return <FinalMessage title={t('undo.invalidTitle')}>{t('undo.invalidBody')}</FinalMessage>
  if (emailChange.error)
    return <LoadFailed page error={emailChange.error} retry={() => void emailChange.refetch()} pending={emailChange.isFetching} />
  if (!emailChange.data) return <Loading />
  if (restored) return <RestoredNote restored={restored} />
  const { state, former_email, email } = emailChange.data
  if (state === 'used') return <FinalMessage title={t('undo.usedTitle')}>{t('undo.usedBody', { email })}</FinalMessage>
  if (state === 'expired') return <FinalMessage title={t('undo.expiredTitle')}>{t('undo.expiredBody', { email })}</FinalMessage>
  return (
    <Stack spacing={3}>
      <Heading title={t('undo.title')}>{t('undo.intro')}</Heading>
      <Box
        component="dl"
        sx={{ m: 0, overflowWrap: 'anywhere', '& dt': { color: 'text.secondary', typography: 'body2' }, '& dd': { m: 0, mb: 1.5 } }}
      >
        <dt>{t('undo.now')}</dt>
        <dd>{email}</dd>
        <dt>{t('undo.again')}</dt>
        <dd>{former_email}</dd>
      </Box>
      {failure !== null && <Notice tone="error">{errorText(failure)}</Notice>}
      <Button variant="contained" size="large" fullWidth loading={pending} onClick={() => void undo()}>
        {t('undo.submit')}
      </Button>
    </Stack>
  )
}

function RestoredNote({ restored: { email, password_reset } }: { restored: RestoredEmail }) {
  const { t } = useTranslation('passwordReset')
  return (
    <FinalMessage
      title={t('undo.doneTitle')}
      email={email}
      actions={
        password_reset && (
          <Button
            component={Link}
            to={{ pathname: '/password-reset', search: `?id=${password_reset.id}`, hash: `#${password_reset.secret}` }}
            variant="contained"
            size="large"
            fullWidth
          >
            {t('undo.newPassword')}
          </Button>
        )
      }
    >
      {t(password_reset ? 'undo.doneBody' : 'undo.doneDisabled', { email })}
    </FinalMessage>
  )
}
