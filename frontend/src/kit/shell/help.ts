import { useMatches } from 'react-router'
import { useFormat } from '~/i18n/use-format'

/** The address of the handbook's page about this screen, in the reader's language; its contents where a screen names none. */
export function useHelp(): string {
  const { lang } = useFormat()
  const page = useMatches().findLast(({ handle }) => handle)?.handle ?? ''
  return `/help/${lang}/${page}`
}
