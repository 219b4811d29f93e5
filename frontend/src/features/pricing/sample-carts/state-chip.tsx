import { Ban, Check, EqualNot } from 'lucide-react'
import type { SampleCart } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import { StateChip, type StateLook } from '~/kit/ui/state-chip'

const LOOK: Record<SampleCart['state'], StateLook> = {
  as_expected: { color: 'success', icon: Check },
  differs: { color: 'error', icon: EqualNot },
  refused: { color: 'error', icon: Ban },
}

export function CartState({ state }: { state: SampleCart['state'] }) {
  const labels = useLabels('sampleCarts')
  return <StateChip look={LOOK[state]} label={labels.enum('state', state)} />
}
