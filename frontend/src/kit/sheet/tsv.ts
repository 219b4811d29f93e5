/**
 * Parses cells as spreadsheets put them on the clipboard: tabs between cells, and quotes around cells with
 * tabs, line breaks or quotes. A quote that does not close at the end of its cell is text, such as the sign
 * for inch.
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
  // a trailing line break is no row
  if (rows.length > 1 && rows.at(-1)?.join('') === '') rows.pop()
  return rows
}

export const writeTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => (/[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t')).join('\n')
