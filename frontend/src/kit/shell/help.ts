import { useTranslation } from 'react-i18next'
import { useMatches } from 'react-router'

/**
 * Address of the handbook's page about this screen in the user's language; the table of contents if the
 * screen names none.
 */
export function useHelp(): string {
  const { i18n } = useTranslation()
  const page = useMatches().findLast(({ handle }) => handle)?.handle ?? ''
  return `/help/${i18n.language}/${page}`
}
