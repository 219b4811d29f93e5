/**
 * A block of cells as spreadsheets put it on the clipboard: tabs between cells, cells with tabs, line breaks or quotes in quotes.
 * A quote that does not close at the end of its cell is text, as in an inch.
 */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"(?=\t|\r?\n|\r|$)|([^\t\r\n]*))(\t|\r?\n|\r|$)/y
  for (let end = false; !end; ) {
    const [, quoted, plain = '', after] = cell.exec(text) ?? []
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"').replaceAll('\r\n', '\n'))
    if (!after) end = true
    else if (after !== '\t') rows.push([])
  }
  // the last line has a break of its own
  if (rows.length > 1 && rows.at(-1)?.join('') === '') rows.pop()
  return rows
}

export const writeTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => (/[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t')).join('\n')
