/** Adds decimals in the format of the API exactly. */
export function sumDecimals(values: readonly string[]): string {
  const places = values.reduce((max, value) => Math.max(max, value.split('.')[1]?.length ?? 0), 0)
  const total = values.reduce((sum, value) => {
    const [whole = '', fraction = ''] = value.split('.')
    return sum + BigInt(whole + fraction.padEnd(places, '0'))
  }, 0n)
  const digits = (total < 0n ? -total : total).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return `${total < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** Negates a decimal. */
export const negated = (value: string): string => (value.startsWith('-') ? value.slice(1) : `-${value}`)
