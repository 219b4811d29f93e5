import outlines from 'virtual:outlines'
import { geoMercator, geoPath } from 'd3-geo'
import { memo } from 'react'
import { feature } from 'topojson-client'
import { chartColors } from '~/kit/plot/chart-colors'
import type { Size, View } from './view'

/** Pixels of a unit in the path, which is computed once and then only scaled. */
const SCALE = 1_000

const countries = geoPath(geoMercator().scale(SCALE).translate([0, 0]).precision(0)).digits(2)(
  feature(outlines, outlines.objects.countries),
)

const Countries = memo(() => (
  <path
    d={countries ?? ''}
    fill={chartColors.paper}
    stroke={chartColors.muted}
    strokeOpacity={0.55}
    strokeWidth={0.75}
    strokeLinejoin="round"
    vectorEffect="non-scaling-stroke"
  />
))

/** Land and borders below the network. */
export function Outlines({ view, size }: { view: View; size: Size }) {
  const { x, y, scale } = view
  return (
    <g aria-hidden>
      <rect width={size.width} height={size.height} fill={chartColors.primary} fillOpacity={0.09} />
      <g transform={`translate(${size.width / 2 - x * scale} ${size.height / 2 - y * scale}) scale(${scale / SCALE})`}>
        <Countries />
      </g>
    </g>
  )
}
