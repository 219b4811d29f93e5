import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { ArrowLeft, ArrowRight, Timer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Itinerary, ItineraryAlternative } from '~/api/schema'
import { ItineraryTimeline } from '~/features/logistics/shared/itinerary/itinerary-timeline'
import { durationText, minutesBetween, momentText } from '~/features/logistics/shared/itinerary/moments'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { Notice } from '~/kit/ui/notice'
import { useOrderTexts } from './use-order-texts'

interface Props {
  itinerary: Itinerary
  now: number
  isOutdated: boolean
  /** Replaces the order with that of an alternative. */
  onTry: (alternative: ItineraryAlternative) => void
}

/** Arrival, alternatives and reasons. */
export function Result({ itinerary, now, isOutdated, onTry }: Props) {
  const { t } = useTranslation('deliveryDate')
  return (
    <Box
      aria-busy={isOutdated}
      sx={{ display: 'grid', gap: 2, minWidth: 0, opacity: isOutdated ? 0.55 : 1, transition: isOutdated ? 'opacity 150ms 300ms' : 'none' }}
    >
      <Card title={t('result.title')}>
        {itinerary.arrives_at === null ? <NoRoute itinerary={itinerary} /> : <Arrival itinerary={itinerary} now={now} onTry={onTry} />}
      </Card>
      {itinerary.arrives_at !== null && (
        <Card title={t('why.title')} intro={t('why.intro')}>
          <ItineraryTimeline itinerary={itinerary} now={now} />
        </Card>
      )}
    </Box>
  )
}

/** Reason why no order arrives, as a sentence. */
function NoRoute({ itinerary: { no_way, from_node, to_node } }: { itinerary: Itinerary }) {
  const { t } = useTranslation('deliveryDate')
  const from = from_node?.name
  const key = no_way?.reason ?? 'not_connected'
  return (
    <Notice tone="warning">
      {from === undefined && (key === 'not_connected' || key === 'no_departure')
        ? t(`noWay.${key}_anywhere`, { to: to_node.name })
        : t(`noWay.${key}`, { from, to: to_node.name, node: no_way?.node?.name })}
    </Notice>
  )
}

function Arrival({ itinerary, now, onTry }: Pick<Props, 'itinerary' | 'now' | 'onTry'>) {
  const { t } = useTranslation('deliveryDate')
  const { lang } = useFormat()
  const { ordered_at, arrives_at, order_by, earlier, later, time_zone: zone, to_node } = itinerary
  const texts = useOrderTexts(itinerary, now)
  if (ordered_at === null || arrives_at === null) return null
  const gainText = texts.gainText(itinerary)
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Box role="status">
        <Typography component="p" variant="h2" sx={{ textWrap: 'balance' }}>
          {t('result.arrives', { node: to_node.name, when: momentText(arrives_at, zone, lang, now) })}
        </Typography>
        <Typography sx={{ mt: 0.5 }}>
          {t('result.ordered', {
            when: momentText(ordered_at, zone, lang, now),
            duration: durationText(Math.max(minutesBetween(ordered_at, arrives_at), 0), lang),
          })}
        </Typography>
        {order_by && (
          <Typography color="textSecondary" sx={{ mt: 0.5 }}>
            {t('result.orderBy', { orderBy: texts.orderBy(order_by) })}
          </Typography>
        )}
        {gainText && (
          <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', mt: 1, fontWeight: 600 }}>
            <Timer size={18} aria-hidden style={{ flexShrink: 0 }} />
            {gainText}
          </Box>
        )}
      </Box>
      {(earlier || later) && (
        <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } }}>
          {earlier && (
            <Alternative
              alternative={earlier}
              title={t('result.earlier', { distance: texts.distance(earlier.arrives_at, arrives_at) })}
              texts={texts}
              icon={<ArrowLeft size={16} aria-hidden />}
              onTry={onTry}
            />
          )}
          {later && (
            <Alternative
              alternative={later}
              title={t('result.later', { distance: texts.distance(arrives_at, later.arrives_at) })}
              texts={texts}
              icon={<ArrowRight size={16} aria-hidden />}
              onTry={onTry}
            />
          )}
        </Box>
      )}
    </Box>
  )
}

interface AlternativeProps {
  alternative: ItineraryAlternative
  title: string
  texts: ReturnType<typeof useOrderTexts>
  icon: React.ReactNode
  onTry: Props['onTry']
}

function Alternative({ alternative, title, texts, icon, onTry }: AlternativeProps) {
  const { t } = useTranslation('deliveryDate')
  const { arrives, orderBy } = texts.alternative(alternative)
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, p: 1.5, display: 'grid', gap: 0.5, justifyItems: 'start' }}>
      <Box sx={{ typography: 'body2', color: 'text.secondary' }}>{title}</Box>
      <Box sx={{ fontWeight: 600 }}>{t('result.alternative', { arrives, orderBy })}</Box>
      <Button size="small" startIcon={icon} onClick={() => onTry(alternative)} aria-label={t('result.tryOf', { orderBy, arrives })}>
        {t('result.try')}
      </Button>
    </Box>
  )
}
