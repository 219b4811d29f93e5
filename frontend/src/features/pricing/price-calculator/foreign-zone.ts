import { isZoneForeign, useConfig } from '~/session/config'

/**
 * Time zone of the installation in parentheses, to follow a time that is shown in it; empty if the reader's
 * zone is the same.
 */
export function useForeignZone(): string {
  const { time_zone } = useConfig()
  return isZoneForeign(time_zone) ? ` (${time_zone})` : ''
}
