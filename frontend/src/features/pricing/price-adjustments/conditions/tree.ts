import type { Condition, ConditionOperator, ConditionType, ConditionValue, Unit } from '~/api/schema'
import { NEW_TEST } from './subjects'

/** Maximum depth of a tree; a comparison alone is one level. */
export const DEPTH_MAX = 5
/** Maximum number of groups and comparisons of a tree. */
export const NODES_MAX = 50

export const GROUP_KINDS = ['all', 'any', 'not'] as const
export type GroupKind = (typeof GROUP_KINDS)[number]

/** Group of a tree in the editor. Keys identify nodes when they move. */
export interface GroupNode {
  key: string
  group: GroupKind
  parts: Node[]
}

/** Comparison; its value is the typed text while that is invalid. */
export interface TestNode {
  key: string
  type: ConditionType
  op: ConditionOperator
  value: ConditionValue
  unit: Unit | null
}

export type Node = GroupNode | TestNode

export const isGroup = (node: Node): node is GroupNode => 'group' in node

let nodeCount = 0
const nextKey = () => `node ${++nodeCount}`

export const newTest = (): TestNode => ({ key: nextKey(), ...NEW_TEST })
export const newGroup = (parts: Node[], group: GroupKind = 'all'): GroupNode => ({ key: nextKey(), group, parts })

/** Returns the kind and the parts of a group; null for a comparison. */
export const partsOf = (condition: Condition): [GroupKind, Condition[]] | null => {
  const group = GROUP_KINDS.find((one) => condition[one])
  return group ? [group, condition[group] ?? []] : null
}

/** Wraps a single comparison in a group, since the editor needs a group as its root. */
export const toGroup = (condition: Condition | null): Condition | null =>
  condition === null || partsOf(condition) ? condition : { all: [condition] }

function toNode(condition: Condition): Node {
  const groupParts = partsOf(condition)
  if (groupParts) return newGroup(groupParts[1].map(toNode), groupParts[0])
  const { type, op, value, unit } = condition
  return { key: nextKey(), type: type ?? NEW_TEST.type, op: op ?? NEW_TEST.op, value: value ?? '', unit: unit ?? null }
}

export function toTree(condition: Condition | null): GroupNode | null {
  const root = toGroup(condition)
  return root ? (toNode(root) as GroupNode) : null
}

export function toCondition(node: Node): Condition {
  if (isGroup(node)) return { [node.group]: node.parts.map(toCondition) }
  const { type, op, value, unit } = node
  return { type, op, value, ...(unit && { unit }) }
}

export const countNodes = (node: Node | null): number =>
  node === null ? 0 : isGroup(node) ? node.parts.reduce((sum, part) => sum + countNodes(part), 1) : 1

/** Number of levels of a node; a comparison is one. */
export const height = (node: Node): number => (isGroup(node) ? 1 + Math.max(0, ...node.parts.map(height)) : 1)

export const depthOf = (root: Node | null): number => (root ? height(root) : 0)

/** Node with its parent group and its index in it. */
export interface NodePosition {
  node: Node
  parent: GroupNode | null
  at: number
  /** Level of the node; the root is 1. */
  depth: number
}

export function nodePositions(root: GroupNode): NodePosition[] {
  const walk = (node: Node, parent: GroupNode | null, at: number, depth: number): NodePosition[] => [
    { node, parent, at, depth },
    ...(isGroup(node) ? node.parts.flatMap((part, place) => walk(part, node, place, depth + 1)) : []),
  ]
  return walk(root, null, 0, 1)
}

export const nodePositionOf = (root: GroupNode, key: string): NodePosition | undefined =>
  nodePositions(root).find(({ node }) => node.key === key)

/** Path of each node as in the API, below the field: `all.1.any.0`. */
export function pathsOf(root: GroupNode): Map<string, string> {
  const paths = new Map<string, string>()
  const walk = (node: Node, path: string) => {
    paths.set(node.key, path)
    const below = (at: number) => (isGroup(node) ? `${path && `${path}.`}${node.group}.${at}` : path)
    if (isGroup(node)) for (const [at, part] of node.parts.entries()) walk(part, below(at))
  }
  walk(root, '')
  return paths
}

/** Returns a tree with one node changed. */
export function withChangedNode(root: GroupNode, key: string, change: (node: Node) => Node): GroupNode {
  const walk = (node: Node): Node => (node.key === key ? change(node) : isGroup(node) ? { ...node, parts: node.parts.map(walk) } : node)
  return walk(root) as GroupNode
}

/** Returns a tree without a node and without groups that would be empty; null if nothing is left. */
export function withoutNode(root: GroupNode, key: string): GroupNode | null {
  const walk = (node: Node): Node | null => {
    if (node.key === key) return null
    if (!isGroup(node)) return node
    const parts = node.parts.flatMap((part) => walk(part) ?? [])
    return parts.length === 0 ? null : { ...node, parts }
  }
  return walk(root) as GroupNode | null
}

export const withInsertedNode = (root: GroupNode, into: string, at: number, node: Node): GroupNode =>
  withChangedNode(root, into, (group) => (isGroup(group) ? { ...group, parts: group.parts.toSpliced(at, 0, node) } : group))

/**
 * True if a node can be moved into a group: the group is not inside the node, and the tree does not get too
 * deep.
 */
export function canMoveInto(root: GroupNode, key: string, into: string): boolean {
  const [from, to] = [nodePositionOf(root, key), nodePositionOf(root, into)]
  if (!from || from.parent === null || !to || !isGroup(to.node)) return false
  const isInside = isGroup(from.node) && nodePositions(from.node).some(({ node }) => node.key === into)
  return !isInside && to.depth + height(from.node) <= DEPTH_MAX
}

/**
 * Moves a node to an index counted before the move; groups left empty are removed. Returns the same tree if
 * the move is not possible.
 */
export function withMovedNode(root: GroupNode, key: string, into: string, at: number): GroupNode {
  const from = nodePositionOf(root, key)
  if (!from?.parent || !canMoveInto(root, key, into)) return root
  const isSameGroup = from.parent.key === into
  if (isSameGroup && (at === from.at || at === from.at + 1)) return root
  // a placeholder marks the target until the node is there
  const withPlaceholder = withInsertedNode(root, into, at, { ...newTest(), key: PLACEHOLDER_KEY })
  const withoutOriginal = withoutNode(withPlaceholder, key)
  return withoutOriginal ? withChangedNode(withoutOriginal, PLACEHOLDER_KEY, () => from.node) : root
}

const PLACEHOLDER_KEY = 'place'

/** Target of a step up or down: past a neighbour, into a group beside it, or out of its own group. */
export function stepTarget(root: GroupNode, key: string, by: -1 | 1): { into: string; at: number } | null {
  const from = nodePositionOf(root, key)
  if (!from?.parent) return null
  const { parent, at } = from
  const neighbour = parent.parts[at + by]
  if (neighbour && isGroup(neighbour) && canMoveInto(root, key, neighbour.key))
    return { into: neighbour.key, at: by > 0 ? 0 : neighbour.parts.length }
  if (neighbour) return { into: parent.key, at: by > 0 ? at + 2 : at - 1 }
  const parentPosition = nodePositionOf(root, parent.key)
  if (!parentPosition?.parent) return null
  return { into: parentPosition.parent.key, at: by > 0 ? parentPosition.at + 1 : parentPosition.at }
}

export const withSteppedNode = (root: GroupNode, key: string, by: -1 | 1): GroupNode => {
  const to = stepTarget(root, key, by)
  return to ? withMovedNode(root, key, to.into, to.at) : root
}

/** Wraps a node in a new group. */
export const withWrappedNode = (root: GroupNode, key: string): GroupNode => withChangedNode(root, key, (node) => newGroup([node]))

/** Replaces a group with its parts. */
export function withDissolvedGroup(root: GroupNode, key: string): GroupNode {
  const position = nodePositionOf(root, key)
  if (!position?.parent || !isGroup(position.node)) return root
  const { parent, at, node } = position
  return withChangedNode(root, parent.key, (group) =>
    isGroup(group) ? { ...group, parts: group.parts.toSpliced(at, 1, ...(node as GroupNode).parts) } : group,
  )
}

export const canGrow = (root: GroupNode | null, nodes: number) => countNodes(root) + nodes <= NODES_MAX
