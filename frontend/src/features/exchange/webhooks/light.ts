import type { Webhook } from '~/api/schema'
import type { Light } from '~/features/exchange/feeds/light-chip'

const LIGHTS = { unused: 'unused', ok: 'green', failing: 'broken', inactive: 'broken' } as const

/** The light of a webhook; one that was paused because of failures needs a person. */
export function lightOf({ status, pause_reason }: Webhook['state']): Light {
  if (status !== 'paused') return LIGHTS[status]
  return pause_reason === null || pause_reason === 'by_hand' ? 'paused' : 'stopped'
}
