import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * Renames the placeholders of a template and keeps their formats; `{{` is an escaped brace and starts no
 * placeholder.
 */
export const renamePlaceholders = (template: string, names: ReadonlyMap<string, string>): string =>
  template.replace(/\{\{|\{(\w+)(?=[:}])/g, (all, name?: string) => {
    const other = name === undefined ? undefined : names.get(name)
    return other === undefined ? all : `{${other}`
  })

/**
 * Translates placeholders between their technical names, which are sent and stored, and words of the user's
 * language, which are shown. Users may type either, unless the word is the name of another placeholder of
 * this template.
 */
export function usePlaceholderWords(placeholders: readonly string[]) {
  const { t } = useTranslation()
  return useMemo(() => {
    const words = t('template.words', { returnObjects: true })
    const pairs = Object.entries(words).filter(([name, word]) => placeholders.includes(name) && !placeholders.includes(word))
    const wordByName = new Map(pairs)
    const nameByWord = new Map(pairs.map(([name, word]) => [word, name]))
    return {
      word: (name: string) => wordByName.get(name) ?? name,
      toWords: (template: string) => renamePlaceholders(template, wordByName),
      toNames: (template: string) => renamePlaceholders(template, nameByWord),
    }
  }, [t, placeholders])
}
