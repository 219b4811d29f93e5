import { $api } from '~/api/client'
import type { CategoryNode } from '~/api/schema'
import type { RefSource } from '~/kit/list/ref-source'
import { forest, isWithin, pathOf } from '~/kit/tree/tree'
import { fold } from '~/lib/fold'

/** Names of categories from the root down. */
export const PATH = ' \u203a '

export const categoryTree = () => $api.queryOptions('get', '/api/admin/categories/tree')

interface Named {
  id: number
  path: string
}

const named = (nodes: readonly CategoryNode[], without: number | null): Named[] => {
  const all = forest(nodes)
  return nodes
    .filter(({ id }) => without === null || !isWithin(all, id, without))
    .map(({ id }) => ({ id, path: namesOf(all, id) }))
    .sort((a, b) => a.path.localeCompare(b.path))
}
const namesOf = (all: ReturnType<typeof forest<CategoryNode>>, id: number) =>
  pathOf(all, id)
    .map(({ name }) => name)
    .join(PATH)

/** Categories by their path; not offered are `without` and what is below it, which cannot be its own parent. */
export function categoryRef(without: number | null): RefSource<Named> {
  return {
    find: (search) => ({
      ...categoryTree(),
      select: ({ data: nodes }: { data: CategoryNode[] }) => ({
        data: named(nodes, without).filter(({ path }) => fold(path).includes(fold(search))),
      }),
    }),
    one: (id) => ({
      ...categoryTree(),
      select: ({ data: nodes }: { data: CategoryNode[] }) => ({ id, path: namesOf(forest(nodes), id) }),
    }),
    id: ({ id }) => id,
    label: ({ path }) => path,
  }
}
