import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useNetworkPaths } from '~/features/logistics/shared/use-network-paths'
import { chartColors, HALO } from '~/kit/plot/chart-colors'
import { placeLabels } from './labels'
import { MapFrame, type MapLayout } from './map-frame'
import { LegLine, NodeMarker, pointAlong } from './markers'
import type { MapNode, ShippingNetwork } from './network'
import { useNetworkText } from './use-network-text'
import { type GeoPoint, isShown } from './view'

type LocatedNode = MapNode & { place: GeoPoint }
const isLocated = (node: MapNode): node is LocatedNode => node.place !== null

/** Margin in pixels beyond the edge within which legs are drawn. */
const BEYOND = -400
/** Maximum number of legs that names avoid; with more, there is no room beside them. */
const AVOIDED = 300
/** Fractions of a leg at which names avoid it. */
const PARTS = Array.from({ length: 19 }, (_, at) => (at + 1) / 20)

/** Nodes and legs on country outlines. A node links to its record. */
export function NetworkMap({ nodes, legs }: ShippingNetwork) {
  const { t } = useTranslation('shippingMap')
  const locatedNodes = nodes.filter(isLocated)
  return (
    <MapFrame label={t('map')} help={t('help')} places={locatedNodes.map(({ place }) => place)}>
      {(frame) => <DrawnNetwork frame={frame} nodes={locatedNodes} legs={legs} />}
    </MapFrame>
  )
}

function DrawnNetwork({ frame, nodes, legs }: { frame: MapLayout; nodes: readonly LocatedNode[]; legs: ShippingNetwork['legs'] }) {
  const text = useNetworkText()
  const paths = useNetworkPaths()
  const { size, at, reveal } = frame
  const points = new Map(nodes.map((node) => [node.id, at(node.place)]))
  const drawnNodes = nodes.map((node) => ({ ...node, ...at(node.place), weight: node.incoming.length + node.outgoing.length }))
  const lines = legs.flatMap(({ id, from, to, state }) => {
    const [start, end] = [points.get(from.id), points.get(to.id)]
    return start && end && (isShown(start, size, BEYOND) || isShown(end, size, BEYOND)) ? [{ id, state, from: start, to: end }] : []
  })
  const labels = placeLabels(
    drawnNodes,
    size,
    lines.length > AVOIDED ? [] : lines.flatMap((line) => PARTS.map((part) => pointAlong(line, part))),
  )
  return (
    <>
      <g aria-hidden>
        {lines.map((line) => (
          <LegLine key={line.id} {...line} />
        ))}
      </g>
      {drawnNodes.map((node) => {
        const label = labels.get(node.id)
        const nodeText = text.node(node)
        return (
          <NodeLink
            key={node.id}
            to={paths.node(node.id)}
            aria-label={nodeText}
            onFocus={(event) => event.currentTarget.matches(':focus-visible') && reveal(node.place)}
            draggable={false}
          >
            <title>{nodeText}</title>
            <g transform={`translate(${node.x} ${node.y})`}>
              {/* touch target, larger than the marker */}
              <circle r={14} fill="transparent" />
              <NodeMarker state={node.state} hasWarehouse={node.warehouse !== null} />
            </g>
            {label && (
              <text x={label.x} y={label.y} textAnchor={label.anchor} fontSize={12} fontWeight={600} fill={chartColors.ink} {...HALO}>
                {node.name}
              </text>
            )}
          </NodeLink>
        )
      })}
    </>
  )
}

const NodeLink = styled(Link)({
  cursor: 'pointer',
  '&:hover text': { textDecoration: 'underline' },
})
