import { Check, CirclePause, CircleX, Clock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FeedLight } from '~/api/schema'
import { StateChip, type StateLook } from '~/kit/ui/state-chip'

/** State of a connection: one that feeds have, or one that only other connections have. */
export type Light = FeedLight | 'stopped' | 'unused' | 'inactive'

const LOOK: Record<Light, StateLook> = {
  broken: { color: 'error', icon: CircleX },
  stopped: { color: 'error', icon: CirclePause },
  late: { color: 'warning', icon: Clock },
  green: { color: 'success', icon: Check },
  paused: { color: 'default', icon: CirclePause },
  unused: { color: 'default', icon: Clock },
  inactive: { color: 'default', icon: CirclePause },
}

/** Lights from the worst to the best. */
const ORDER = Object.keys(LOOK)

/** Compares two lights: the worse one is first. */
export const byLight = (a: Light, b: Light) => ORDER.indexOf(a) - ORDER.indexOf(b)

export function LightChip({ light }: { light: Light }) {
  const { t } = useTranslation('feeds')
  return <StateChip look={LOOK[light]} label={t(`lights.${light}`)} />
}
