import { geoMercator } from 'd3-geo'

/** Place on earth in degrees. */
export interface GeoPoint {
  latitude: number
  longitude: number
}

export interface MapPoint {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

/**
 * Visible part of the map: the point in its centre, and the pixels of a unit. A unit is a radian at the
 * equator.
 */
export interface View extends MapPoint {
  scale: number
}

/** Projection of the map at scale 1. */
export const projection = geoMercator().scale(1).translate([0, 0])

/** Latitude at which the map ends, since the projection is infinite at the poles. */
const LATITUDE_MAX = 85
const EDGE = Math.PI
export const SCALE_MIN = 60
export const SCALE_MAX = 200_000
/** Maximum scale for showing a whole network, so that a single node is shown with its country. */
const WHOLE_MAX = 6_000
/** Pixels between the outermost nodes and the edge of the map, for markers and names. */
const MARGIN = 48
/** Area that is shown while no node has coordinates: central Europe. */
const EMPTY: readonly GeoPoint[] = [
  { latitude: 42, longitude: -4 },
  { latitude: 57, longitude: 25 },
]

const clampTo = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

export function toMapPoint({ latitude, longitude }: GeoPoint): MapPoint {
  const [x, y] = projection([longitude, clampTo(latitude, -LATITUDE_MAX, LATITUDE_MAX)]) ?? [0, 0]
  return { x, y }
}

export function toGeoPoint({ x, y }: MapPoint): GeoPoint {
  const [longitude, latitude] = projection.invert?.([x, y]) ?? [0, 0]
  return { latitude: clampTo(latitude, -LATITUDE_MAX, LATITUDE_MAX), longitude: clampTo(longitude, -180, 180) }
}

/** Converts a point to pixels from the top left corner. */
export const toScreen = (view: View, { width, height }: Size, { x, y }: MapPoint): MapPoint => ({
  x: (x - view.x) * view.scale + width / 2,
  y: (y - view.y) * view.scale + height / 2,
})

/** Inverse of `toScreen`. */
export const fromScreen = (view: View, { width, height }: Size, { x, y }: MapPoint): MapPoint => ({
  x: (x - width / 2) / view.scale + view.x,
  y: (y - height / 2) / view.scale + view.y,
})

const clampView = ({ x, y, scale }: View): View => ({
  x: clampTo(x, -EDGE, EDGE),
  y: clampTo(y, -EDGE, EDGE),
  scale: clampTo(scale, SCALE_MIN, SCALE_MAX),
})

/** View that shows all of the given places. */
export function fitView(places: readonly GeoPoint[], { width, height }: Size): View {
  const points = (places.length > 0 ? places : EMPTY).map(toMapPoint)
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const innerSize = (size: number) => Math.max(size - 2 * MARGIN, 40)
  const scale = Math.min(innerSize(width) / Math.max(right - left, 1e-9), innerSize(height) / Math.max(bottom - top, 1e-9), WHOLE_MAX)
  return clampView({ x: (left + right) / 2, y: (top + bottom) / 2, scale })
}

/** Moves the view by pixels. */
export const panView = (view: View, { x, y }: MapPoint): View =>
  clampView({ ...view, x: view.x + x / view.scale, y: view.y + y / view.scale })

/** Zooms the view; the point at these pixels stays in place. */
export function zoomView(view: View, size: Size, factor: number, at: MapPoint = { x: size.width / 2, y: size.height / 2 }): View {
  const fixed = fromScreen(view, size, at)
  const { scale } = clampView({ ...view, scale: view.scale * factor })
  return clampView({ x: fixed.x - (at.x - size.width / 2) / scale, y: fixed.y - (at.y - size.height / 2) / scale, scale })
}

/** True if these pixels are on the map, with some distance to its edge. */
export const isShown = ({ x, y }: MapPoint, { width, height }: Size, margin = 0): boolean =>
  x >= margin && y >= margin && x <= width - margin && y <= height - margin
