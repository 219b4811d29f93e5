/** Place on the map as in the API: decimals with at most six places. */
export interface Coordinates {
  latitude: string
  longitude: string
}

const PLACES = 6

/** Formats degrees with six decimal places at most, which is about ten centimetres. */
const rounded = (value: number): string => String(Number(value.toFixed(PLACES)))

interface Part {
  value: number
  /** Letter of the direction. */
  side: string
}

/** Pattern for half of a pair: `51.4344`, `51,4344° N`, `51°26'04"N`, `W 6.7623`. */
const PART =
  /^\s*([NSEWO])?\s*([+-]?\d{1,3}(?:[.,]\d+)?)\s*°?\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*['′’]\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”]|'')\s*)?([NSEWO])?\s*$/i

const numberOf = (text: string | undefined): number => Number((text ?? '0').replace(',', '.'))

function readPart(text: string): Part | null {
  const [, before = '', degrees, minutes, seconds, after = ''] = PART.exec(text) ?? []
  if (degrees === undefined || (before && after)) return null
  const size = Math.abs(numberOf(degrees)) + numberOf(minutes) / 60 + numberOf(seconds) / 3600
  const side = (before || after).toUpperCase()
  const isNegative = degrees.startsWith('-') !== /[SW]/.test(side)
  return { value: isNegative ? -size : size, side }
}

/**
 * Ways to split a text in two; a comma followed by a space is tried as a separator before a decimal comma.
 */
const CUTS = [
  /^([^;]+);([^;]+)$/,
  /^(.+?),\s+(.+)$/,
  /^([^,]+),([^,]+)$/,
  /^(.*[\d°'"′″’”NSEWO])\s+([NSEWO+-]?\s*\d.*)$/i,
  /^(.+[NS])\s*(.+[EWO])$/i,
]

/**
 * Parses a pair as maps and people write it, latitude first: `51.4344, 6.7623`, `51,4344; 6,7623`,
 * `51°26'04"N 6°45'44"E`. Returns `null` for anything else, and for values out of range.
 */
export function parseCoordinates(text: string): Coordinates | null {
  for (const cut of CUTS) {
    const [, first, second] = cut.exec(text.trim()) ?? []
    const [latitude, longitude] = [readPart(first ?? ''), readPart(second ?? '')]
    if (!latitude || !longitude) continue
    if (/[EWO]/.test(latitude.side) || /[NS]/.test(longitude.side)) return null
    if (Math.abs(latitude.value) > 90 || Math.abs(longitude.value) > 180) return null
    return { latitude: rounded(latitude.value), longitude: rounded(longitude.value) }
  }
  return null
}
