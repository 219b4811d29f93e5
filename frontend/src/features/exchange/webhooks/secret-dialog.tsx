import { useTranslation } from 'react-i18next'
import { CopyText } from '~/kit/ui/copy-text'
import { ShownOnceDialog } from '~/kit/ui/shown-once-dialog'

/** Dialog with the new secret of a webhook. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  return (
    <ShownOnceDialog title={t('secret.title')} warning={t('secret.once')} onClose={onClose}>
      <CopyText label={t('secret.title')} text={secret} action={t('secret.copy')} done={t('secret.copied')} autoFocus />
    </ShownOnceDialog>
  )
}
