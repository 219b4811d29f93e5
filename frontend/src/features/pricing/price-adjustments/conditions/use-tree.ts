import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Condition } from '~/api/schema'
import { notify } from '~/kit/ui/snackbar'
import {
  dissolved,
  type GroupKind,
  grouped,
  inserted,
  isGroup,
  type Node,
  newGroup,
  newTest,
  nodePositionOf,
  pathsOf,
  type TestNode,
  toCondition,
  toTree,
  withChangedNode,
  withMovedNode,
  withoutNode,
  wrapped,
} from './tree'

/** Part of a node that takes the focus. */
type Part = 'subject' | 'handle'

const written = (condition: Condition | null) => JSON.stringify(condition)

/** Number of a node within its tree, from 1: `2.1`. */
export const numberOf = (path: string) =>
  path
    .split('.')
    .filter((part) => /^\d+$/.test(part))
    .map((at) => Number(at) + 1)
    .join('.')

/** State of an edited tree; nodes keep their keys unless the value is changed from outside. */
export function useTree(value: Condition | null, onChange: (value: Condition | null) => void, frame: RefObject<HTMLElement | null>) {
  const { t } = useTranslation('conditions')
  const [root, setRoot] = useState(() => toTree(value))
  const lastWritten = useRef(written(value))
  const [said, setSaid] = useState('')
  const [wanted, setWanted] = useState<{ key: string | null; part: Part } | null>(null)

  // changed from outside: by a draft, another version, or a pasted text
  const incoming = written(value)
  const follow = useEffectEvent(() => {
    if (incoming === lastWritten.current) return
    lastWritten.current = incoming
    setRoot(toTree(value))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: when there is another tree
  useEffect(follow, [incoming])

  useEffect(() => {
    if (!wanted) return
    setWanted(null)
    const within = wanted.key === null ? frame.current : frame.current?.querySelector(`[data-node="${wanted.key}"]`)
    within?.querySelector<HTMLElement>(wanted.key === null ? '[data-part="first"]' : `[data-part="${wanted.part}"]`)?.focus()
  }, [wanted, frame])

  function set(next: typeof root) {
    const condition = next ? grouped(toCondition(next)) : null
    lastWritten.current = written(condition)
    setRoot(next)
    onChange(condition)
  }

  const nameIn = (tree: NonNullable<typeof root>, key: string): string => {
    const path = pathsOf(tree).get(key) ?? ''
    const found = nodePositionOf(tree, key)
    if (path === '') return t('node.root')
    return found && isGroup(found.node) ? t('node.group', { number: numberOf(path) }) : t('node.condition', { number: numberOf(path) })
  }
  const name = (key: string) => (root ? nameIn(root, key) : '')

  function move(next: NonNullable<typeof root>, key: string) {
    if (next === root) return
    set(next)
    setSaid(t('announce.moved', { node: nameIn(next, key) }))
    setWanted({ key, part: 'handle' })
  }

  function add(into: string | null, node: Node) {
    const next = root && into !== null ? inserted(root, into, Number.POSITIVE_INFINITY, node) : newGroup([node])
    const key = isGroup(node) ? (node.parts[0]?.key ?? node.key) : node.key
    set(next)
    setSaid(t('announce.added', { node: nameIn(next, node.key) }))
    setWanted({ key, part: 'subject' })
  }

  return {
    root,
    said,
    name,
    set,
    addTest: (into: string | null) => add(into, newTest()),
    addGroup: (into: string) => add(into, newGroup([newTest()], 'any')),
    setTest: (key: string, change: Partial<TestNode>) =>
      root && set(withChangedNode(root, key, (node) => ({ ...node, ...change }) as Node)),
    setGroup: (key: string, group: GroupKind) => root && set(withChangedNode(root, key, (node) => ({ ...node, group }) as Node)),
    move,
    moveTo: (key: string, into: string, at: number) => root && move(withMovedNode(root, key, into, at), key),
    wrap: (key: string) => root && move(wrapped(root, key), key),
    dissolve(key: string) {
      const found = root && nodePositionOf(root, key)
      const first = found && isGroup(found.node) ? found.node.parts[0] : undefined
      if (root && first) move(dissolved(root, key), first.key)
    },
    remove(key: string) {
      if (!root) return
      const before = root
      const node = name(key)
      const place = nodePositionOf(root, key)
      const siblings = place?.parent?.parts ?? []
      const next = siblings[(place?.at ?? 0) + 1] ?? siblings[(place?.at ?? 0) - 1]
      const left = withoutNode(root, key)
      set(left)
      setSaid(t('announce.removed', { node }))
      setWanted({ key: left && next && nodePositionOf(left, next.key) ? next.key : null, part: 'handle' })
      notify.undoable(t('removed', { node }), () => set(before))
    },
  }
}

export type Tree = ReturnType<typeof useTree>
