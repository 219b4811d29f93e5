import { HttpResponse } from 'msw'
import type { Meta } from '~/api/schema'

/** Fields of every row that lists need. */
export type Row = { id: number; version?: number; updated_at: string }

function value(row: Row, field: string): unknown {
  const fields = row as unknown as Record<string, unknown>
  // a reference is an embedded object, while filters name its id
  return field in fields ? fields[field] : (fields[field.replace(/_id$/, '')] as { id: number } | undefined)?.id
}

/** Returns the rows that match a list's filters. */
export function matching<R extends Row>(rows: readonly R[], url: URL, textFields: readonly string[]): R[] {
  let matchingRows = [...rows]
  for (const [key, filterValue] of url.searchParams) {
    const match =
      /^filter\[([a-z_]+?)(_not_equals|_equals|_starts_with|_lesser_than|_lesser_equals|_greater_than|_greater_equals)?\]$/.exec(key)
    if (!match?.[1]) continue
    const [, field, suffix] = match
    const any = url.searchParams.getAll(key)
    const compare = (row: Row) => {
      const own = value(row, field)
      const [a, b] = Number.isNaN(Number(filterValue)) ? [String(own), filterValue] : [Number(own), Number(filterValue)]
      return a < b ? -1 : a > b ? 1 : 0
    }
    const matches = (row: Row) =>
      filterValue
        .toLowerCase()
        .split(' ')
        .every((word) => textFields.some((text) => String(value(row, text)).toLowerCase().includes(word)))
    const contains = (row: Row) =>
      any.some((text) =>
        String(value(row, field) ?? '')
          .toLowerCase()
          .includes(text.toLowerCase()),
      )
    matchingRows = matchingRows.filter((row) => {
      if (suffix === '_not_equals') return String(value(row, field)) !== filterValue
      if (suffix === '_equals') return any.some((text) => String(value(row, field)).toLowerCase() === text.toLowerCase())
      if (suffix === '_starts_with') return any.some((text) => String(value(row, field)).toLowerCase().startsWith(text.toLowerCase()))
      if (suffix === '_lesser_than') return compare(row) < 0
      if (suffix === '_lesser_equals') return compare(row) <= 0
      if (suffix === '_greater_than') return compare(row) > 0
      if (suffix === '_greater_equals') return compare(row) >= 0
      if (field === 'search') return matches(row)
      return textFields.includes(field) ? contains(row) : any.includes(String(value(row, field)))
    })
  }
  return matchingRows
}

/** Answers a list request as in the contract, over rows in memory: filters, sort, pages. */
export function page<R extends Row>(rows: readonly R[], url: URL, fallback: string, textFields: readonly string[]) {
  const matches = matching(rows, url, textFields)
  const sort = url.searchParams.get('sort') ?? fallback
  const field = sort.replace(/^-/, '')
  const by = (row: Row) => {
    const cell = value(row, field) ?? ''
    // an embedded reference sorts by its name
    return typeof cell === 'object' && 'name' in cell ? cell.name : cell
  }
  matches.sort((a, b) => {
    const [x, y] = [by(a), by(b)]
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), 'de', { numeric: true })
    return sort.startsWith('-') ? -order : order
  })
  const size = Number(url.searchParams.get('page[size]') ?? 40)
  const current = Number(url.searchParams.get('page[number]') ?? 1)
  const meta = { current_page: current, last_page: Math.max(1, Math.ceil(matches.length / size)), per_page: size, total: matches.length }
  return HttpResponse.json<{ data: R[]; meta: Meta }>({ data: matches.slice((current - 1) * size, current * size), meta })
}
