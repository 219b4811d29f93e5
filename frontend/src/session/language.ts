import { client, data } from '~/api/client'
import { queryClient } from '~/api/query'
import type { CurrentUser } from '~/api/schema'
import { changeLanguage, languageIsChosen } from '~/i18n/i18n'
import type { Lang } from '~/lib/lang'
import { cachedMe, meOptions } from './me'

/** Changes the language here immediately, and in the account for other browsers. */
export async function chooseLanguage(language: Lang): Promise<void> {
  await changeLanguage(language)
  if (cachedMe()?.language === language) return
  // the interface has changed already; a failure to store it in the account is only logged
  await data(client.PATCH('/api/users/me', { body: { language } })).then(cacheCurrentUser, (error: unknown) =>
    console.warn('language not kept', error),
  )
}

/** Applies the account's language in a browser where none has been chosen. */
export function adoptLanguage({ language }: CurrentUser): void {
  if (language && !languageIsChosen()) void changeLanguage(language)
}

export function cacheCurrentUser(me: CurrentUser): void {
  queryClient.setQueryData(meOptions().queryKey, me)
}
