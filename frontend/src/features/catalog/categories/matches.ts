import type { CategoryNode } from '~/api/schema'
import type { Filter } from '~/kit/table/list-state'
import { fold } from '~/lib/fold'

/** Returns a test that applies the filters to the loaded tree as the server would. */
export function matches(filters: readonly Filter[]): (node: CategoryNode) => boolean {
  const tests = filters.map(({ field, op, values }) => {
    const valueSet = new Set(values.map((value) => (field.endsWith('_id') ? value : fold(value))))
    const containsAny = (text: string) => [...valueSet].some((value) => text.includes(value))
    return (node: CategoryNode) => {
      switch (field) {
        case 'parent_id':
          return valueSet.has(String(node.parent_id)) === (op === 'is')
        case 'article_type_id':
          return valueSet.has(String(node.article_type?.id)) === (op === 'is')
        case 'display_name': {
          const text = fold(node.display_name ?? '')
          return op === 'is' ? containsAny(text) : !valueSet.has(text)
        }
        default: {
          const text = fold(node.name)
          return op === 'is' ? containsAny(text) : !valueSet.has(text)
        }
      }
    }
  })
  return (node) => tests.every((test) => test(node))
}
