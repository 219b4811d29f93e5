import { fold } from '~/lib/fold'

/**
 * Score of a match: every word of the query must begin a word of the label or of its synonyms; 0 if one does
 * not.
 */
export function score(query: string, label: string, synonyms = ''): number {
  const words = fold(query).split(' ').filter(Boolean)
  const startsWith = (text: string, word: string) =>
    fold(text)
      .split(/[^\p{L}\p{N}]+/u)
      .some((part) => part.startsWith(word))
  if (!words.every((word) => startsWith(label, word) || startsWith(synonyms, word))) return 0
  if (fold(label).startsWith(words.join(' '))) return 3
  return words.every((word) => startsWith(label, word)) ? 2 : 1
}

/** Matching items, best and shortest first; all items in their own order while nothing is typed. */
export function ranked<Item>(query: string, items: readonly Item[], text: (item: Item) => [label: string, synonyms?: string]): Item[] {
  if (query.trim() === '') return [...items]
  return items
    .map((item) => ({ item, fit: score(query, ...text(item)), length: text(item)[0].length }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || a.length - b.length)
    .map(({ item }) => item)
}
