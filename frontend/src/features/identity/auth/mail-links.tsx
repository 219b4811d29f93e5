import { useLocation } from 'react-router'
import { EmailUndo } from './email-undo'
import { PasswordReset } from './password-reset'

/**
 * Pages for links in mails that have a secret after `#`. They are loaded together, since both end with a new
 * password.
 */
export default function MailLinks() {
  return useLocation().pathname.endsWith('/email-undo') ? <EmailUndo /> : <PasswordReset />
}
