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
  const [openIds, setOpenIds] = useState<ReadonlySet<number> | null>(() => {
    const { open } = readJson<{ open: number[] | null }>(key, { open: null })
    return open && new Set(open)
  })
  const isSmall = tree.list.length <= FEW
  const isOpen = useCallback((id: number) => (openIds ? openIds.has(id) : isSmall), [openIds, isSmall])
  const setOpen = useCallback(
    (ids: readonly number[], open: boolean) => {
      const next = new Set<number>(openIds ?? (isSmall ? tree.byId.keys() : []))
      for (const id of ids) {
        if (open) next.add(id)
        else next.delete(id)
      }
      // ids of deleted entries are not stored
      const existingIds = [...next].filter((id) => tree.byId.has(id))
      writeJson(key, { open: existingIds })
      setOpenIds(new Set(existingIds))
    },
    [key, isSmall, tree, openIds],
  )
  return { isOpen, setOpen }
}
