import { isZoneForeign, useConfig } from '~/session/config'

/** The installation's time zone in parentheses, behind a time that is shown in it; nothing where the reader's clocks are the same. */
export function useForeignZone(): string {
  const { time_zone } = useConfig()
  return isZoneForeign(time_zone) ? ` (${time_zone})` : ''
}
