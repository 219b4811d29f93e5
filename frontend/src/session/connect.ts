import { context } from '~/api/context'
import { queryClient } from '~/api/query'
import { currentLanguage, i18n } from '~/i18n/i18n'
import { configOptions } from './config'
import { dropDrafts } from './drafts'
import { cachedMe, meOptions } from './me'
import { session } from './session'
import { tenantOnWire } from './tenant'

/** Connects the API client with the session; called once at start. */
export function connectSession(): void {
  context.token = () => session.get().token
  context.refused = (token) => session.handleRefusedToken(token)
  context.language = currentLanguage
  context.tenant = tenantOnWire
  // some texts come from the server
  i18n.on('languageChanged', () => void queryClient.invalidateQueries())

  let before = session.get()
  session.subscribe(() => {
    const now = session.get()
    if (now.phase === 'out') onSignOut()
    else if (now.token && now.token !== before.token) void reloadForOtherUser()
    before = now
  })
}

function onSignOut(): void {
  dropDrafts()
  clearCachedData()
}

/** Removes all cached data of a user, so that the next one cannot see it. */
export function clearCachedData(): void {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[1] !== configOptions().queryKey[1] })
}

/** Reloads the application if another user has signed in in another tab. */
async function reloadForOtherUser(): Promise<void> {
  const cachedUser = cachedMe()
  if (!cachedUser) return
  // the page itself reports a failed request
  const now = await queryClient.fetchQuery({ ...meOptions(), staleTime: 0 }).catch(() => cachedUser)
  if (now.id !== cachedUser.id) location.replace('/home')
}
