import { useCallback, useState } from 'react'
import { readJson, writeJson } from '~/lib/storage'
import type { Forest, TreeItem } from './tree'

/** Number of entries up to which a tree is expanded on the first visit. */
const FEW = 60

interface Open {
  isOpen: (id: number) => boolean
  setOpen: (ids: readonly number[], open: boolean) => void
}

/** Expanded entries of a tree, stored for the next visit. */
export function useOpen<T extends TreeItem>(name: string, tree: Forest<T>): Open {
  const key = `tree.${name}`
  const [kept, setKept] = useState<ReadonlySet<number> | null>(() => {
    const { open } = readJson<{ open: number[] | null }>(key, { open: null })
    return open && new Set(open)
  })
  const few = tree.list.length <= FEW
  const isOpen = useCallback((id: number) => (kept ? kept.has(id) : few), [kept, few])
  const setOpen = useCallback(
    (ids: readonly number[], open: boolean) => {
      const next = new Set<number>(kept ?? (few ? tree.byId.keys() : []))
      for (const id of ids) {
        if (open) next.add(id)
        else next.delete(id)
      }
      // ids of deleted entries are not stored
      const known = [...next].filter((id) => tree.byId.has(id))
      writeJson(key, { open: known })
      setKept(new Set(known))
    },
    [key, few, tree, kept],
  )
  return { isOpen, setOpen }
}
