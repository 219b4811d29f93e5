import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chartColors, HALO } from '~/kit/plot/chart-colors'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { isDecimal } from '~/lib/decimal'
import { allNodes } from './api'
import { type NamedMarker, placeLabels } from './labels'
import { MapFrame, type MapLayout } from './map-frame'
import { NodeMarker } from './markers'
import { networkOf } from './network'
import type { PickPlaceProps } from './pick-place'
import { roundPlace, usePlaceText } from './place-text'
import { fromScreen, type GeoPoint, type MapPoint, toGeoPoint } from './view'

interface Props extends PickPlaceProps {
  onClose: () => void
}

function placeIn(value: Props['value']): GeoPoint | null {
  if (!value || !isDecimal(value.latitude) || !isDecimal(value.longitude)) return null
  const place = { latitude: Number(value.latitude), longitude: Number(value.longitude) }
  return Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180 ? place : null
}

/** Map for selecting a place, by a click or by the arrow keys. */
export default function PickPlaceDialog({ value, onPick, onClose }: Props) {
  const { t } = useTranslation(['shippingMap', 'common'])
  const placeText = usePlaceText()
  const before = placeIn(value)
  const [place, setPlace] = useState(before)
  const { data: rows = [] } = useQuery(allNodes())
  const others = networkOf(rows, []).nodes.flatMap((node) => (node.place ? [{ ...node, place: node.place }] : []))

  function onArrow(by: MapPoint, { size, view, at, reveal }: MapLayout) {
    const from = place ? at(place) : { x: size.width / 2, y: size.height / 2 }
    const next = roundPlace(toGeoPoint(fromScreen(view, size, { x: from.x + by.x, y: from.y + by.y })))
    setPlace(next)
    reveal(next)
  }

  return (
    <DialogFrame
      title={t('pick.title')}
      maxWidth="md"
      fullScreenOnPhone
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button
            variant="contained"
            disabled={place === null}
            onClick={() => {
              if (place) onPick({ latitude: String(place.latitude), longitude: String(place.longitude) })
              onClose()
            }}
          >
            {t('pick.apply')}
          </Button>
        </>
      }
    >
      <MapFrame
        label={t('pick.map')}
        help={t('pick.help')}
        places={before ? [before] : others.map((node) => node.place)}
        onArrow={onArrow}
        onPlace={(picked) => setPlace(roundPlace(picked))}
      >
        {(frame) => (
          <>
            <OtherNodes nodes={others.map((node) => ({ ...node, ...frame.at(node.place), weight: node.outgoing.length }))} frame={frame} />
            {place && <Pin at={frame.at(place)} />}
          </>
        )}
      </MapFrame>
      <Box role="status" sx={{ mt: 1.5, fontWeight: 600 }}>
        {place ? t('pick.picked', { place: placeText(place) }) : t('pick.none')}
      </Box>
    </DialogFrame>
  )
}

/** Existing nodes, for orientation. */
function OtherNodes({ nodes, frame }: { nodes: readonly NamedMarker[]; frame: MapLayout }) {
  const labels = placeLabels(nodes, frame.size)
  return (
    <g aria-hidden>
      {nodes.map((node) => {
        const label = labels.get(node.id)
        return (
          <g key={node.id}>
            <g transform={`translate(${node.x} ${node.y})`} opacity={0.6}>
              <NodeMarker state="reachable" hasWarehouse={false} />
            </g>
            {label && (
              <text x={label.x} y={label.y} textAnchor={label.anchor} fontSize={12} fill={chartColors.muted} {...HALO}>
                {node.name}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

const Pin = ({ at: { x, y } }: { at: MapPoint }) => (
  <g transform={`translate(${x} ${y})`} aria-hidden>
    <path d="M-16 0H-5M5 0H16M0 -16V-5M0 5V16" stroke={chartColors.ink} strokeWidth={2} />
    <circle r={5} fill="none" stroke={chartColors.accent} strokeWidth={3} />
  </g>
)
