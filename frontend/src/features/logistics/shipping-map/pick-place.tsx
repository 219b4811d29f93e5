import { Suspense } from 'react'
import type { Coordinates } from '~/features/logistics/shipping-nodes/coordinates'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'

const PickPlaceButton = lazyWithTexts(() => import('./pick-place-button'), 'shippingMap')

export interface PickPlaceProps {
  /** Coordinates in the form; null or invalid decimals if there are none. */
  value: Coordinates | null
  onPick: (picked: Coordinates) => void
}

/** Fills in coordinates from a place selected on the map. */
export const PickPlace = (props: PickPlaceProps) => (
  <Suspense fallback={null}>
    <PickPlaceButton {...props} />
  </Suspense>
)
