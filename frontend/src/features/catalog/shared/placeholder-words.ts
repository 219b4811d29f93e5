import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * Renames the placeholders of a template and keeps their formats; `{{` is an escaped brace and starts no
 * placeholder.
 */
export const renamed = (template: string, names: ReadonlyMap<string, string>): string =>
  template.replace(/\{\{|\{(\w+)(?=[:}])/g, (all, name?: string) => {
    const other = name === undefined ? undefined : names.get(name)
    return other === undefined ? all : `{${other}`
  })

/**
 * Translates placeholders between their technical names, which are sent and stored, and words of the user's
 * language, which are shown. Users may type either, unless the word is the name of another placeholder of
 * this template.
 */
export function usePlaceholderWords(known: readonly string[]) {
  const { t } = useTranslation()
  return useMemo(() => {
    const words = t('template.words', { returnObjects: true })
    const pairs = Object.entries(words).filter(([name, word]) => known.includes(name) && !known.includes(word))
    const shown = new Map(pairs)
    const sent = new Map(pairs.map(([name, word]) => [word, name]))
    return {
      word: (name: string) => shown.get(name) ?? name,
      shown: (template: string) => renamed(template, shown),
      sent: (template: string) => renamed(template, sent),
    }
  }, [t, known])
}
