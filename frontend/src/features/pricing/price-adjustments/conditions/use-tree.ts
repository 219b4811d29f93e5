import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Condition } from '~/api/schema'
import { notify } from '~/kit/ui/snackbar'
import {
  type GroupKind,
  isGroup,
  type Node,
  newGroup,
  newTest,
  nodePositionOf,
  pathsOf,
  type TestNode,
  toCondition,
  toGroup,
  toTree,
  withChangedNode,
  withDissolvedGroup,
  withInsertedNode,
  withMovedNode,
  withoutNode,
  withWrappedNode,
} from './tree'

/** Part of a node that takes the focus. */
type Part = 'subject' | 'handle'

const serialize = (condition: Condition | null) => JSON.stringify(condition)

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
  const lastSerialized = useRef(serialize(value))
  const [announcement, setAnnouncement] = useState('')
  const [focusTarget, setFocusTarget] = useState<{ key: string | null; part: Part } | null>(null)

  // changed from outside: by a draft, another version, or a pasted text
  const serialized = serialize(value)
  const syncWithValue = useEffectEvent(() => {
    if (serialized === lastSerialized.current) return
    lastSerialized.current = serialized
    setRoot(toTree(value))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: when there is another tree
  useEffect(syncWithValue, [serialized])

  useEffect(() => {
    if (!focusTarget) return
    setFocusTarget(null)
    const container = focusTarget.key === null ? frame.current : frame.current?.querySelector(`[data-node="${focusTarget.key}"]`)
    container?.querySelector<HTMLElement>(focusTarget.key === null ? '[data-part="first"]' : `[data-part="${focusTarget.part}"]`)?.focus()
  }, [focusTarget, frame])

  function set(next: typeof root) {
    const condition = next ? toGroup(toCondition(next)) : null
    lastSerialized.current = serialize(condition)
    setRoot(next)
    onChange(condition)
  }

  const nodeName = (tree: NonNullable<typeof root>, key: string): string => {
    const path = pathsOf(tree).get(key) ?? ''
    const position = nodePositionOf(tree, key)
    if (path === '') return t('node.root')
    return position && isGroup(position.node)
      ? t('node.group', { number: numberOf(path) })
      : t('node.condition', { number: numberOf(path) })
  }
  const name = (key: string) => (root ? nodeName(root, key) : '')

  function move(next: NonNullable<typeof root>, key: string) {
    if (next === root) return
    set(next)
    setAnnouncement(t('announce.moved', { node: nodeName(next, key) }))
    setFocusTarget({ key, part: 'handle' })
  }

  function add(into: string | null, node: Node) {
    const next = root && into !== null ? withInsertedNode(root, into, Number.POSITIVE_INFINITY, node) : newGroup([node])
    const key = isGroup(node) ? (node.parts[0]?.key ?? node.key) : node.key
    set(next)
    setAnnouncement(t('announce.added', { node: nodeName(next, node.key) }))
    setFocusTarget({ key, part: 'subject' })
  }

  return {
    root,
    announcement,
    name,
    set,
    addTest: (into: string | null) => add(into, newTest()),
    addGroup: (into: string) => add(into, newGroup([newTest()], 'any')),
    setTest: (key: string, change: Partial<TestNode>) =>
      root && set(withChangedNode(root, key, (node) => ({ ...node, ...change }) as Node)),
    setGroup: (key: string, group: GroupKind) => root && set(withChangedNode(root, key, (node) => ({ ...node, group }) as Node)),
    move,
    moveTo: (key: string, into: string, at: number) => root && move(withMovedNode(root, key, into, at), key),
    wrap: (key: string) => root && move(withWrappedNode(root, key), key),
    dissolve(key: string) {
      const position = root && nodePositionOf(root, key)
      const first = position && isGroup(position.node) ? position.node.parts[0] : undefined
      if (root && first) move(withDissolvedGroup(root, key), first.key)
    },
    remove(key: string) {
      if (!root) return
      const before = root
      const node = name(key)
      const position = nodePositionOf(root, key)
      const siblings = position?.parent?.parts ?? []
      const next = siblings[(position?.at ?? 0) + 1] ?? siblings[(position?.at ?? 0) - 1]
      const remaining = withoutNode(root, key)
      set(remaining)
      setAnnouncement(t('announce.removed', { node }))
      setFocusTarget({ key: remaining && next && nodePositionOf(remaining, next.key) ? next.key : null, part: 'handle' })
      notify.undoable(t('removed', { node }), () => set(before))
    },
  }
}

export type Tree = ReturnType<typeof useTree>
