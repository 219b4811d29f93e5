const PLACES = 4

/** Amount divided by a quantity, rounded half up to four places; null if the quantity is zero. */
export function unitPrice(amount: string, quantity: string): string | null {
  const places = (text: string) => text.split('.')[1]?.length ?? 0
  const shift = Math.max(places(amount), places(quantity))
  const whole = (text: string) => BigInt(text.replace('.', '') + '0'.repeat(shift - places(text)))
  const divisor = whole(quantity)
  if (divisor <= 0n) return null
  const digits = whole(amount) * 10n ** BigInt(PLACES)
  const rounded = (2n * digits + divisor) / (2n * divisor)
  const text = String(rounded).padStart(PLACES + 1, '0')
  return `${text.slice(0, -PLACES)}.${text.slice(-PLACES)}`
}
