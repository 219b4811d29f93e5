import type { Webhook } from '~/api/schema'
import type { Light } from '~/features/exchange/feeds/light-chip'

const LIGHTS = { unused: 'unused', ok: 'green', failing: 'broken', inactive: 'broken' } as const

/** Light of a webhook; one that was paused after failures has to be resumed by a person. */
export function lightOf({ status, pause_reason }: Webhook['state']): Light {
  if (status !== 'paused') return LIGHTS[status]
  return pause_reason === null || pause_reason === 'by_hand' ? 'paused' : 'stopped'
}
