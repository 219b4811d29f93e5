import { DIGITS, fits, isDecimal } from '~/lib/decimal'

/** `6.5 m` of the wire. */
export const measured = (value: string): [number: string, unit: string] => {
  const [, number = '', unit = ''] = /^(.*?) ?([a-z]+[0-9]?)?$/.exec(value) ?? []
  return [number, unit]
}

/** Whether the server takes it for one. */
export const isMeasure = (value: string) => {
  const [number] = measured(value)
  return isDecimal(number) && fits(number, DIGITS)
}
