import { useMatches } from 'react-router'
import { useFormat } from '~/i18n/use-format'

/**
 * Address of the handbook's page about this screen in the user's language; the table of contents if the
 * screen names none.
 */
export function useHelp(): string {
  const { lang } = useFormat()
  const page = useMatches().findLast(({ handle }) => handle)?.handle ?? ''
  return `/help/${lang}/${page}`
}
