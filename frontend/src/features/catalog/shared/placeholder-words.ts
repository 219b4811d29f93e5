import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** A template with other names for its placeholders, whatever format follows them; `{{` is a brace and begins none. */
export const renamed = (template: string, names: ReadonlyMap<string, string>): string =>
  template.replace(/\{\{|\{(\w+)(?=[:}])/g, (all, name?: string) => {
    const other = name === undefined ? undefined : names.get(name)
    return other === undefined ? all : `{${other}`
  })

/**
 * Some placeholders have a technical name, which is what is sent and kept, and a word of the user's language, which is shown. Either may
 * be typed, unless the word is the name of another placeholder here.
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
