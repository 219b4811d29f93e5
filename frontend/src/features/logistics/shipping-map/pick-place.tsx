import { Suspense } from 'react'
import type { Coordinates } from '~/features/logistics/shipping-nodes/coordinates'
import { later } from '~/kit/ui/later'

const PickPlaceButton = later(() => import('./pick-place-button'), 'shippingMap')

export interface PickPlaceProps {
  /** The coordinates in the form; null, or anything that is no decimal, as long as there are none. */
  value: Coordinates | null
  onPick: (picked: Coordinates) => void
}

/** Fills coordinates in by a place that is picked on the map. */
export const PickPlace = (props: PickPlaceProps) => (
  <Suspense fallback={null}>
    <PickPlaceButton {...props} />
  </Suspense>
)
