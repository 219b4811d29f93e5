import { describe, expect, it } from 'vitest'
import type { Condition } from '~/api/schema'
import { checkConditions } from './rules'
import { initialTest } from './subjects'
import {
  canGrow,
  canMoveInto,
  countNodes,
  depthOf,
  type GroupNode,
  newGroup,
  newTest,
  nodePositions,
  pathsOf,
  toCondition,
  toGroup,
  toTree,
  withDissolvedGroup,
  withInsertedNode,
  withMovedNode,
  withoutNode,
  withSteppedNode,
  withWrappedNode,
} from './tree'

const test = (value: string): Condition => ({ type: 'cart_base_price', op: 'lesser_than', value })
const [a, b, c, d] = ['1', '2', '3', '4'].map(test) as [Condition, Condition, Condition, Condition]

/** Builds a tree with the keys of its comparisons and groups by their contents. */
function tree(condition: Condition) {
  const root = toTree(condition) as GroupNode
  const keyOf = (part: Condition) =>
    nodePositions(root).find(({ node }) => JSON.stringify(toCondition(node)) === JSON.stringify(part))?.node.key ?? ''
  return { root, keyOf }
}

it('returns the original conditions, within a group', () => {
  const whole: Condition = { all: [{ type: 'cart_weight', op: 'greater_equals', value: '10', unit: 't' }, { not: [{ any: [a, b] }] }] }
  expect(toCondition(tree(whole).root)).toEqual(whole)
  expect(toGroup(a)).toEqual({ all: [a] })
  expect(toGroup(null)).toBeNull()
  expect(countNodes(tree(whole).root)).toBe(6)
  expect(depthOf(tree(whole).root)).toBe(4)
})

it('has its nodes at the paths of the contract', () => {
  const { root, keyOf } = tree({ all: [a, { any: [b, { not: [c] }] }] })
  expect([a, b, c].map((one) => pathsOf(root).get(keyOf(one)))).toEqual(['all.0', 'all.1.any.0', 'all.1.any.1.not.0'])
})

describe('moves', () => {
  const inner: Condition = { any: [b, c] }
  const before: Condition = { all: [a, inner, d] }

  it.each<[string, Condition, -1 | 1, Condition]>([
    ['past a neighbour', { all: [a, b] }, 1, { all: [b, a] }],
    ['into the group below', before, 1, { all: [{ any: [a, b, c] }, d] }],
    ['nowhere at the end', { all: [b, a] }, 1, { all: [b, a] }],
    ['nowhere at the beginning', { all: [a, b] }, -1, { all: [a, b] }],
  ])('a comparison by a step, %s', (_name, from, by, to) => {
    const { root, keyOf } = tree(from)
    expect(toCondition(withSteppedNode(root, keyOf(a), by))).toEqual(to)
  })

  it('a comparison out of its group, which is removed if it is empty', () => {
    const up = tree(before)
    expect(toCondition(withSteppedNode(up.root, up.keyOf(b), -1))).toEqual({ all: [a, b, { any: [c] }, d] })
    const alone = tree({ all: [{ any: [a] }, b] })
    expect(toCondition(withSteppedNode(alone.root, alone.keyOf(a), 1))).toEqual({ all: [a, b] })
  })

  it('to any position, counted before the move', () => {
    const { root, keyOf } = tree(before)
    expect(toCondition(withMovedNode(root, keyOf(a), root.key, 3))).toEqual({ all: [inner, d, a] })
    expect(toCondition(withMovedNode(root, keyOf(d), keyOf(inner), 1))).toEqual({ all: [a, { any: [b, d, c] }] })
    expect(withMovedNode(root, keyOf(d), root.key, 2)).toBe(root)
    expect(withMovedNode(root, keyOf(d), root.key, 3)).toBe(root)
  })

  it('no group into itself, and no node deeper than five levels', () => {
    const deep: Condition = { all: [a, { all: [b, { all: [c, { all: [d] }] }] }] }
    const { root, keyOf } = tree(deep)
    const second = keyOf({ all: [b, { all: [c, { all: [d] }] }] })
    const fourth = keyOf({ all: [d] })
    expect(canMoveInto(root, second, fourth)).toBe(false)
    expect(canMoveInto(root, keyOf(a), fourth)).toBe(true)
    expect(withMovedNode(root, second, fourth, 0)).toBe(root)
    const other = tree({ all: [{ any: [a] }, { all: [{ all: [{ all: [b] }] }] }] })
    expect(canMoveInto(other.root, other.keyOf({ any: [a] }), other.keyOf({ all: [b] }))).toBe(false)
  })
})

it('removes a node with the groups that become empty', () => {
  const { root, keyOf } = tree({ all: [a, { any: [{ not: [b] }] }] })
  expect(toCondition(withoutNode(root, keyOf(b)) as GroupNode)).toEqual({ all: [a] })
  const alone = tree({ all: [{ any: [a] }] })
  expect(withoutNode(alone.root, alone.keyOf(a))).toBeNull()
})

it('wraps a node into a group, and dissolves a group', () => {
  const { root, keyOf } = tree({ all: [a, b] })
  expect(toCondition(withWrappedNode(root, keyOf(b)))).toEqual({ all: [a, { all: [b] }] })
  const nested = tree({ all: [a, { any: [b, c] }, d] })
  expect(toCondition(withDissolvedGroup(nested.root, nested.keyOf({ any: [b, c] })))).toEqual({ all: [a, b, c, d] })
})

it('has at most fifty nodes', () => {
  const root = Array.from({ length: 48 }, newTest).reduce((tree, node) => withInsertedNode(tree, tree.key, 0, node), newGroup([]))
  expect(countNodes(root)).toBe(49)
  expect([canGrow(root, 1), canGrow(root, 2)]).toEqual([true, false])
})

it('keeps suitable parts when another field is chosen', () => {
  const weight = { type: 'cart_weight', op: 'lesser_than', value: '10', unit: 'kg' } as const
  expect(initialTest('item_weight', weight)).toEqual({ ...weight, type: 'item_weight' })
  expect(initialTest('cart_base_price', weight)).toEqual({ type: 'cart_base_price', op: 'lesser_than', value: '10', unit: null })
  expect(initialTest('material', weight)).toEqual({ type: 'material', op: 'in', value: [], unit: null })
  expect(initialTest('article', { type: 'material', op: 'not_in', value: [3], unit: null })).toEqual({
    type: 'article',
    op: 'not_in',
    value: [],
    unit: null,
  })
})

it.each<[string, Condition, [string, string][]]>([
  ['an amount', a, []],
  ['no amount', test(''), [['value', 'required']]],
  ['letters', test('viel'), [['value', 'amount']]],
  ['less than nothing', test('-1'), [['value', 'notLess?min=0']]],
  ['too many digits', test('1234567890123'), [['value', 'digits?before=12&after=6']]],
  ['a quantity of no unit', { type: 'item_quantity', op: 'equals', value: '3' }, [['unit', 'required']]],
  ['a weight of no unit, which is in kg', { type: 'item_weight', op: 'equals', value: '3' }, []],
  ['no day', { type: 'date', op: 'equals', value: '2026-02-30' }, [['value', 'date']]],
  ['no weekday', { type: 'weekday', op: 'in', value: [] }, [['value', 'atLeast?min=1']]],
  ['no material', { type: 'material', op: 'in', value: [] }, [['value', 'atLeast?min=1']]],
  ['a fault deep in a tree', { all: [a, { not: [b, test('')] }] }, [['all.1.not.1.value', 'required']]],
])('is refused at its node: %s', (_name, condition, expected) => {
  expect(checkConditions(condition).map(({ path, message }) => [path.join('.'), message])).toEqual(expected)
})
