const LENGTHS = [8, 12, 13, 14]

/** Check digit: from the right, every other digit counts three times (GS1 General Specifications). */
function checkDigit(body: string): number {
  const sum = [...body].reverse().reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

/** Reads the digits of a GTIN, ignoring spaces and hyphens; otherwise returns the error. */
export function readGtin(text: string): { gtin: string } | { form: true } | { digits: string; expected: number } {
  const gtin = text.replace(/[ \u00a0-]/g, '')
  if (!/^[0-9]*$/.test(gtin) || !LENGTHS.includes(gtin.length)) return { form: true }
  const digits = gtin.slice(0, -1)
  const expected = checkDigit(digits)
  return gtin.endsWith(String(expected)) ? { gtin } : { digits, expected }
}
