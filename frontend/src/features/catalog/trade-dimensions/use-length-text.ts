import { useFormat } from '~/i18n/use-format'

/** Formats millimetres as traders write them: 6,11 m. */
export function useLengthText(): (value: number) => string {
  const format = useFormat()
  return (value) => `${format.decimal(value / 1000)}\u00a0m`
}
