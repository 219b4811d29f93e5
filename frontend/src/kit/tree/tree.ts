/** Entry of a tree; siblings are in the order of the list. */
export interface TreeItem {
  id: number
  parent_id: number | null
}

/** Position of an entry: its parent, and the sibling before which it stands; null for the last one. */
export interface TreePosition {
  parent_id: number | null
  before_id: number | null
}

export interface Forest<T extends TreeItem> {
  list: readonly T[]
  byId: ReadonlyMap<number, T>
  /** Children by parent; the roots are at `null`. */
  children: ReadonlyMap<number | null, readonly T[]>
}

export function forest<T extends TreeItem>(list: readonly T[]): Forest<T> {
  const byId = new Map(list.map((item) => [item.id, item]))
  const children = new Map<number | null, T[]>()
  for (const item of list) {
    const siblings = children.get(item.parent_id)
    if (siblings) siblings.push(item)
    else children.set(item.parent_id, [item])
  }
  return { list, byId, children }
}

/** Visible entry. */
export interface VisibleRow<T> {
  item: T
  /** Depth, from 1. */
  level: number
  /** Position among its siblings, from 1. */
  position: number
  siblingCount: number
  /** True if its children are shown; null if it has none. */
  open: boolean | null
}

/** Visible entries from top to bottom; with `onlyIds`, only these. */
export function rows<T extends TreeItem>(
  { children }: Forest<T>,
  isOpen: (id: number) => boolean,
  onlyIds: ReadonlySet<number> | null = null,
): VisibleRow<T>[] {
  const visibleRows: VisibleRow<T>[] = []
  const childrenOf = (parent: number | null) => {
    const all = children.get(parent) ?? []
    return onlyIds ? all.filter(({ id }) => onlyIds.has(id)) : all
  }
  // iterative, because the depth of a tree is not limited
  const stack: { siblings: readonly T[]; next: number }[] = [{ siblings: childrenOf(null), next: 0 }]
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const item = top.siblings[top.next++]
    if (!item) {
      stack.pop()
      continue
    }
    const below = childrenOf(item.id)
    const open = below.length > 0 ? isOpen(item.id) : null
    visibleRows.push({ item, level: stack.length, position: top.next, siblingCount: top.siblings.length, open })
    if (open) stack.push({ siblings: below, next: 0 })
  }
  return visibleRows
}

/** Ids of matching entries and their ancestors, so that their place in the tree is visible. */
export function withAncestors<T extends TreeItem>({ list, byId }: Forest<T>, matches: (item: T) => boolean): Set<number> {
  const keptIds = new Set<number>()
  for (const item of list) {
    if (!matches(item)) continue
    for (
      let next: T | undefined = item;
      next && !keptIds.has(next.id);
      next = next.parent_id === null ? undefined : byId.get(next.parent_id)
    ) {
      keptIds.add(next.id)
    }
  }
  return keptIds
}

/** True if an entry is `ancestorId` or a descendant of it. */
export function isWithin<T extends TreeItem>({ byId }: Forest<T>, id: number, ancestorId: number): boolean {
  for (let next: number | null = id; next !== null; next = byId.get(next)?.parent_id ?? null) {
    if (next === ancestorId) return true
  }
  return false
}

/** Path from the root to the entry, inclusive. */
export function pathOf<T extends TreeItem>({ byId }: Forest<T>, id: number): T[] {
  const path: T[] = []
  for (let next = byId.get(id); next; next = next.parent_id === null ? undefined : byId.get(next.parent_id)) path.unshift(next)
  return path
}

const siblingsOf = <T extends TreeItem>({ byId, children }: Forest<T>, id: number): readonly T[] =>
  children.get(byId.get(id)?.parent_id ?? null) ?? []

/** Returns the current position of an entry. */
export function positionOf<T extends TreeItem>(tree: Forest<T>, id: number): TreePosition {
  const siblings = siblingsOf(tree, id)
  const next = siblings[siblings.findIndex((sibling) => sibling.id === id) + 1]
  return { parent_id: tree.byId.get(id)?.parent_id ?? null, before_id: next?.id ?? null }
}

export type MoveDirection = 'up' | 'down' | 'indent' | 'outdent'

/** Position after one step; null if the step is not possible. */
export function step<T extends TreeItem>(tree: Forest<T>, id: number, direction: MoveDirection): TreePosition | null {
  const siblings = siblingsOf(tree, id)
  const at = siblings.findIndex((sibling) => sibling.id === id)
  const parent = tree.byId.get(id)?.parent_id ?? null
  const previous = siblings[at - 1]
  switch (direction) {
    case 'up':
      return previous ? { parent_id: parent, before_id: previous.id } : null
    case 'down':
      return siblings[at + 1] ? { parent_id: parent, before_id: siblings[at + 2]?.id ?? null } : null
    case 'indent':
      return previous ? { parent_id: previous.id, before_id: null } : null
    case 'outdent':
      return parent === null ? null : positionOf(tree, parent)
  }
}

export type Zone = 'before' | 'inside' | 'after'

/** Position of an entry dropped on another one; null if it must not go there or already is there. */
export function dropPlace<T extends TreeItem>(tree: Forest<T>, id: number, target: VisibleRow<T>, zone: Zone): TreePosition | null {
  const { item, open } = target
  if (isWithin(tree, item.id, id)) return null
  const first = tree.children.get(item.id)?.[0]
  const place: TreePosition =
    zone === 'inside'
      ? { parent_id: item.id, before_id: null }
      : zone === 'before'
        ? { parent_id: item.parent_id, before_id: item.id }
        : open && first
          ? { parent_id: item.id, before_id: first.id }
          : positionOf(tree, item.id)
  const now = positionOf(tree, id)
  const isUnmoved = place.parent_id === now.parent_id && (place.before_id === now.before_id || place.before_id === id)
  return isUnmoved ? null : place
}

/** Returns the list after a move. */
export function moveItem<T extends TreeItem>(list: readonly T[], id: number, { parent_id, before_id }: TreePosition): T[] {
  const item = list.find((candidate) => candidate.id === id)
  if (!item) return [...list]
  const rest = list.filter((candidate) => candidate.id !== id)
  const at = before_id === null ? rest.length : rest.findIndex((candidate) => candidate.id === before_id)
  rest.splice(at < 0 ? rest.length : at, 0, { ...item, parent_id })
  return rest
}
