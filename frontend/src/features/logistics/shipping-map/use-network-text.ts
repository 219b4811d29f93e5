import { useTranslation } from 'react-i18next'
import { formatDuration } from '~/lib/duration'
import type { MapLeg, MapNode } from './network'

/** Formats nodes and legs in words. */
export function useNetworkText() {
  const { t } = useTranslation('shippingMap')
  const leg = ({ travelDuration, departuresPerWeek, state }: MapLeg, name: string) =>
    t(state === 'running' ? 'leg.running' : `leg.${state}`, { name, duration: formatDuration(travelDuration), count: departuresPerWeek })
  const ends = (legs: readonly MapLeg[], end: 'from' | 'to') => legs.map((mapLeg) => leg(mapLeg, mapLeg[end].name)).join('; ')
  return {
    leg,
    /** Name, state and warehouse of a node, and each of its legs. */
    node: ({ name, state, warehouse, incoming, outgoing }: MapNode): string =>
      [
        name,
        ...(state === 'reachable' ? [] : [t(`state.${state}`)]),
        ...(warehouse === null ? [] : [t('node.warehouse', { warehouse })]),
        outgoing.length === 0 ? t('node.noOutgoing') : t('node.outgoing', { legs: ends(outgoing, 'to') }),
        incoming.length === 0 ? t('node.noIncoming') : t('node.incoming', { legs: ends(incoming, 'from') }),
      ].join('. '),
  }
}
