/** Splits `after` into the start it shares with `before`, the part that differs and the end it shares. */
export function splitDifference(before: string, after: string): [string, string, string] {
  const [a, b] = [[...before], [...after]]
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return [b.slice(0, head).join(''), b.slice(head, b.length - tail).join(''), b.slice(b.length - tail).join('')]
}
