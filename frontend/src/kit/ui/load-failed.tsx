import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '~/api/errors'
import { BusyButton } from './busy-button'
import { EmptyState } from './empty-state'
import { useErrorText } from './error-text'

interface Props {
  error: unknown
  retry: () => void
  pending?: boolean
  page?: boolean
}

/** Message for content that could not be loaded: the reason, and a button to retry. */
export function LoadFailed({ error, retry, pending = false, page = false }: Props) {
  const { t } = useTranslation()
  const text = useErrorText()
  const requestId = isApiError(error) ? error.requestId : null
  return (
    <EmptyState
      page={page}
      icon={TriangleAlert}
      title={t('list.failed')}
      action={
        <BusyButton variant="outlined" onClick={retry} busy={pending}>
          {t('actions.retry')}
        </BusyButton>
      }
    >
      {text(error)}
      {requestId && (
        <>
          <br />
          {t('errors.requestId', { id: requestId })}
        </>
      )}
    </EmptyState>
  )
}
