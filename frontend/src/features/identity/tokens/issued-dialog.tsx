import { useTranslation } from 'react-i18next'
import type { IssuedToken } from '~/api/schema'
import { CopyText } from '~/kit/ui/copy-text'
import { ShownOnceDialog } from '~/kit/ui/shown-once-dialog'
import { sampleCall } from './abilities'

/** Dialog with a new token and an example call for it. */
export default function IssuedDialog({ token: issuedToken, onClose }: { token: IssuedToken; onClose: () => void }) {
  const { t } = useTranslation('tokens')
  const { token, plain_text } = issuedToken
  return (
    <ShownOnceDialog title={t('issued.title', { name: token.name })} warning={t('issued.body')} onClose={onClose}>
      <CopyText label={t('issued.token')} text={plain_text} action={t('issued.copyToken')} done={t('issued.tokenCopied')} autoFocus />
      <CopyText
        label={t('issued.call')}
        text={sampleCall(window.location.origin, plain_text, token.abilities)}
        action={t('issued.copyCall')}
        done={t('issued.callCopied')}
        multiline
      />
    </ShownOnceDialog>
  )
}
