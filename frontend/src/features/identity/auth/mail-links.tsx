import { useLocation } from 'react-router'
import { EmailUndo } from './email-undo'
import { PasswordReset } from './password-reset'

/** Where links in mails lead whose secret stands behind `#`. The pages are loaded together: both end with a new password. */
export default function MailLinks() {
  return useLocation().pathname.endsWith('/email-undo') ? <EmailUndo /> : <PasswordReset />
}
