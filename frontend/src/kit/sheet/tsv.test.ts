import { describe, expect, it } from 'vitest'
import { parseTsv, writeTsv } from './tsv'

describe('parseTsv', () => {
  it.each([
    ['850,00', [['850,00']]],
    ['', [['']]],
    [
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a\tb\nc\td',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a\rb', [['a'], ['b']]],
    [
      'a\t\t\nb\t\t',
      [
        ['a', '', ''],
        ['b', '', ''],
      ],
    ],
    ['1\n\n3\n', [['1'], [''], ['3']]],
    ['"two\r\nlines"\tb\n', [['two\nlines', 'b']]],
    ['"a\tb"\tc', [['a\tb', 'c']]],
    ['"say ""yes"""', [['say "yes"']]],
    ['1/2" Rohr\t"3" Rohr', [['1/2" Rohr', '"3" Rohr']]],
    ['""\tb', [['', 'b']]],
    ['"open\tb', [['"open', 'b']]],
  ])('%j', (text, rows) => expect(parseTsv(text)).toEqual(rows))
})

it.each([
  [
    [
      ['a', 'b'],
      ['c', ''],
    ],
  ],
  [[['two\nlines', 'tab\there', 'a "quote"', '"']]],
  [[['1.234,50', '']]],
])('reads back what it writes: %j', (rows) => expect(parseTsv(writeTsv(rows))).toEqual(rows))
