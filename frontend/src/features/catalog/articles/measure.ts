import { DIGITS, fits, isDecimal } from '~/lib/decimal'

/** Splits a measure of the API such as `6.5 m` into number and unit. */
export const splitMeasure = (value: string): [number: string, unit: string] => {
  const [, number = '', unit = ''] = /^(.*?) ?([a-z]+[0-9]?)?$/.exec(value) ?? []
  return [number, unit]
}

/** True if the server accepts the value as a measure. */
export const isMeasure = (value: string) => {
  const [number] = splitMeasure(value)
  return isDecimal(number) && fits(number, DIGITS)
}
