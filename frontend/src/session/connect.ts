import { context } from '~/api/client'
import { queryClient } from '~/api/query'
import { currentLanguage, i18n } from '~/i18n/i18n'
import { session } from './session'
import { tenantOnWire } from './tenant'

/** Gives the API client what it needs to know about the session; called once at start. */
export function connectSession(): void {
  context.token = () => session.get().token
  context.refused = (token) => session.refused(token)
  context.language = currentLanguage
  context.tenant = tenantOnWire
  // some texts come from the server
  i18n.on('languageChanged', () => void queryClient.invalidateQueries())
}
