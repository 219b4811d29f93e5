import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useTranslation } from 'react-i18next'
import type { Itinerary } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { Timeline, type TimelineMoment } from '~/kit/plot/timeline'
import { Swatch } from '~/kit/plot/tones'
import { minuteIn } from '~/lib/zone'
import { shortMomentText } from './moments'
import { sentencesOf } from './sentences'
import { drawingOf } from './stages'

interface Props {
  itinerary: Itinerary
  now: number
}

/** Itinerary of an order: a drawing over days and nights, and each stage in a sentence. */
export function ItineraryTimeline({ itinerary, now }: Props) {
  const { t } = useTranslation(['itinerary', 'warehouses'])
  const { lang } = useFormat()
  const zone = itinerary.time_zone
  const relativeTo = Date.parse(itinerary.ordered_at ?? '')
  const sentences = sentencesOf(itinerary, { t, lang, zone, relativeTo })
  return (
    <>
      <TimelineDrawing itinerary={itinerary} now={now} />
      <Table size="small" aria-label={t('title')} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
        <TableHead>
          <TableRow>
            <TableCell>{t('heads.at')}</TableCell>
            <TableCell>{t('heads.what')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {sentences.map(({ at, tone, text }, nth) => {
            const isArrival = nth === sentences.length - 1
            const isNew = at !== sentences[nth - 1]?.at
            return (
              <TableRow key={text} sx={isArrival || nth === 0 ? { '& td': { fontWeight: 600 } } : {}}>
                <TableCell sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
                  {isNew && shortMomentText(at, zone, lang, relativeTo)}
                </TableCell>
                <TableCell>
                  <Box sx={{ display: 'flex', alignItems: 'baseline' }}>
                    {tone ? <Swatch tone={tone} /> : <Box aria-hidden sx={{ flex: '0 0 18px' }} />}
                    <span>{text}</span>
                  </Box>
                </TableCell>
              </TableRow>
            )
          })}
        </TableBody>
      </Table>
    </>
  )
}

function TimelineDrawing({ itinerary, now }: Props) {
  const { t } = useTranslation('itinerary')
  const zone = itinerary.time_zone
  const drawing = drawingOf(itinerary, zone)
  if (!drawing) return null
  const time = (at: number) => minuteIn(zone, at).slice(11)
  const moments: TimelineMoment[] = [
    { at: drawing.from, text: t('moments.ordered', { time: time(drawing.from) }) },
    { at: drawing.to, text: t('moments.arrived', { time: time(drawing.to) }) },
    ...(drawing.from < now && now < drawing.to ? [{ at: now, text: t('moments.now'), isNow: true }] : []),
  ]
  const warehouse = itinerary.warehouse?.name ?? itinerary.warehouse?.short_code ?? itinerary.from_node?.name ?? ''
  const lanes = drawing.lanes.map((lane) => (lane.kind === 'warehouse' ? warehouse : `${lane.from} → ${lane.to}`))
  return (
    <>
      <Timeline {...drawing} lanes={lanes} moments={moments} zone={zone} />
      <Box
        component="ul"
        aria-hidden
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 2.5,
          m: 0,
          mb: 2,
          p: 0,
          listStyle: 'none',
          typography: 'caption',
          color: 'text.secondary',
        }}
      >
        <li>
          <Swatch tone="busy" />
          {t('legend.busy')}
        </li>
        <li>
          <Swatch tone="waiting" />
          {t('legend.waiting')}
        </li>
        <li>{t('legend.closed')}</li>
        <li>{t('legend.night')}</li>
      </Box>
    </>
  )
}
