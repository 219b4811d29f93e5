import { useFormat } from '~/i18n/use-format'
import type { GeoPoint } from './view'

/** Decimal places of a selected place, which is about ten metres. */
const PICKED = 4

export const roundPlace = ({ latitude, longitude }: GeoPoint): GeoPoint => ({
  latitude: Number(latitude.toFixed(PICKED)),
  longitude: Number(longitude.toFixed(PICKED)),
})

/** Formats coordinates as `48,3069; 14,2858`. */
export function usePlaceText(): (place: GeoPoint) => string {
  const { lang } = useFormat()
  const { format } = new Intl.NumberFormat(lang, { maximumFractionDigits: 6 })
  const separator = lang === 'de' ? '; ' : ', '
  return ({ latitude, longitude }) => `${format(latitude)}${separator}${format(longitude)}`
}
