import { context } from '~/api/context'
import { queryClient } from '~/api/query'
import { currentLanguage, i18n } from '~/i18n/i18n'
import { configOptions } from './config'
import { dropDrafts } from './drafts'
import { cachedMe, meOptions } from './me'
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

  let before = session.get()
  session.subscribe(() => {
    const now = session.get()
    if (now.phase === 'out') leave()
    else if (now.token && now.token !== before.token) void recognise()
    before = now
  })
}

function leave(): void {
  dropDrafts()
  forget()
}

/** Nothing of a user may be seen by the next one. */
export function forget(): void {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[1] !== configOptions().queryKey[1] })
}

/** Somebody else has signed in in another tab: what is open here is not his. */
async function recognise(): Promise<void> {
  const known = cachedMe()
  if (!known) return
  // why nobody is known is said where the page asks
  const now = await queryClient.fetchQuery({ ...meOptions(), staleTime: 0 }).catch(() => known)
  if (now.id !== known.id) location.replace('/home')
}
