import { describe, expect, it } from 'vitest'
import { itKeepsRules, readRules } from '~/test/rules'
import { assignLanes, boundaries, extent, findProblems, locateLength, millimetres, sortedRanges } from './length-ranges'
import { EMPTY_CLUSTER, tradeDimensionSchema } from './schema'

interface Bounds {
  short_code: string
  minimum?: string
  maximum?: string
  calculation_value?: string
}
const { ladders } = readRules<{ ladders: { about: string; clusters: Bounds[]; lengths: { length: string; cluster: string | null }[] }[] }>(
  'trade_dimension.json',
)
const rows = (clusters: readonly Bounds[]) => clusters.map((cluster) => ({ ...EMPTY_CLUSTER, ...cluster }))
const ladder = (...bounds: [string, string][]) =>
  sortedRanges(bounds.map(([minimum, maximum], at) => ({ ...EMPTY_CLUSTER, short_code: `L${at}`, minimum, maximum })))

describe('the rules of the server', () => {
  itKeepsRules('trade_dimension.json', tradeDimensionSchema, ({ name, clusters }) => ({ name, clusters: rows(clusters as Bounds[]) }), [])
})

it('sends the input, with open ends as null', () => {
  const clusters = rows([
    { short_code: ' A ', maximum: '6', calculation_value: '6' },
    { short_code: 'B', minimum: '6', calculation_value: '8' },
  ])
  expect(tradeDimensionSchema.parse({ name: ' Träger ', clusters })).toEqual({
    name: 'Träger',
    clusters: [
      { short_code: 'A', minimum: null, maximum: '6', calculation_value: '6' },
      { short_code: 'B', minimum: '6', maximum: null, calculation_value: '8' },
    ],
  })
})

it('refuses more than a hundred ranges', () => {
  const many = Array.from({ length: 101 }, (_, at) => ({
    short_code: `L${at}`,
    minimum: String(at + 1),
    maximum: String(at + 2),
    calculation_value: '1',
  }))
  const issues = (clusters: typeof many) =>
    tradeDimensionSchema.safeParse({ name: 'X', clusters }).error?.issues.map((issue) => issue.message)
  expect(issues(many)).toEqual(['atMost?max=100'])
  expect(issues(many.slice(1))).toBeUndefined()
})

describe.each(ladders)('a length in ranges $about', ({ clusters, lengths }) => {
  it.each(lengths)('$length m is in $cluster', ({ length, cluster }) => {
    const place = locateLength(sortedRanges(rows(clusters)), millimetres(length) ?? Number.NaN)
    expect(place.kind === 'in' ? place.range.name : null).toBe(cluster)
  })
})

it.each([
  ['below everything', 1000, 'under'],
  ['above everything', 20000, 'over'],
  ['in a gap', 6500, 'between'],
  ['where two overlap', 9500, 'several'],
  ['nothing', 0, 'zero'],
] as const)('a length %s', (_name, length, kind) => {
  expect(locateLength(ladder(['3', '6'], ['7', '10'], ['9', '12']), length).kind).toBe(kind)
})

it('no length is within an empty list of ranges', () => {
  expect(locateLength([], 6000).kind).toBe('nowhere')
})

it('gaps and overlaps have bounds', () => {
  expect(findProblems(ladder(['3', '6'], ['7', '10'], ['9', '12']))).toMatchObject([
    { kind: 'rangeGap', from: 6000, to: 7000 },
    { kind: 'rangeOverlap', from: 9000, to: 10000 },
  ])
  expect(findProblems(ladder(['1', '10'], ['2', '3']))).toMatchObject([{ kind: 'rangeOverlap', from: 2000, to: 3000 }])
})

it('incomplete ranges are not drawn', () => {
  expect(ladder(['', '6'], ['x', '8'], ['8', '7'], ['0', '9'], ['9', '']).map((range) => range.at)).toEqual([0, 4])
})

it('only adjacent ranges have a boundary', () => {
  expect(boundaries(ladder(['', '6'], ['6', '8'], ['9', ''])).map(({ value }) => value)).toEqual([6000])
})

it('extends the drawing at open ends', () => {
  expect(extent(ladder(['3', '6'], ['6', '13']))).toEqual({ from: 3000, to: 13000 })
  expect(extent(ladder(['', '6'], ['6', '']))).toEqual({ from: 3600, to: 8400 })
  expect(extent([])).toEqual({ from: 0, to: 0 })
})

it.each<[string, [string, string][], string]>([
  [
    'beside each other: all of the height',
    [
      ['1', '2'],
      ['2', '3'],
      ['4', '5'],
    ],
    '0/1 0/1 0/1',
  ],
  [
    'two that overlap, and one that does not',
    [
      ['1', '4'],
      ['3', '6'],
      ['6', '7'],
    ],
    '0/2 1/2 0/1',
  ],
  [
    'a chain takes lanes in turn',
    [
      ['1', '4'],
      ['3', '6'],
      ['5', '7'],
    ],
    '0/2 1/2 0/2',
  ],
  [
    'three at the same place',
    [
      ['1', '9'],
      ['2', '9'],
      ['3', '4'],
    ],
    '0/3 1/3 2/3',
  ],
  [
    'one inside another, and a next one inside it',
    [
      ['1', '9'],
      ['2', '4'],
      ['4', '6'],
    ],
    '0/2 1/2 1/2',
  ],
  [
    'open ends',
    [
      ['', '4'],
      ['', '3'],
      ['3', ''],
    ],
    '0/2 1/2 0/2',
  ],
])('overlapping ranges share the height: %s', (_, bounds, expected) => {
  expect(
    assignLanes(ladder(...bounds))
      .map(({ lane, laneCount }) => `${lane}/${laneCount}`)
      .join(' '),
  ).toBe(expected)
})
