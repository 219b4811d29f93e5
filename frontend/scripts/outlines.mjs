// Cuts country outlines to a part of the world, so that the map loads no more than it can show.

/**
 * Keeps the polygons that have a point within the box, with the arcs that they consist of. Arcs stay whole: a country that reaches over
 * the edge of the box keeps its shape.
 */
export function cutOutlines({ type, transform, arcs, objects }, { west, south, east, north }) {
  const { scale, translate } = transform
  const touches = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.some(([dx, dy]) => {
      x += dx
      y += dy
      const [longitude, latitude] = [x * scale[0] + translate[0], y * scale[1] + translate[1]]
      return longitude >= west && longitude <= east && latitude >= south && latitude <= north
    })
  })
  const positions = new Map()
  // a negative number is an arc that is walked backwards
  const renumber = (arc) => {
    const own = arc < 0 ? ~arc : arc
    if (!positions.has(own)) positions.set(own, positions.size)
    return arc < 0 ? ~positions.get(own) : positions.get(own)
  }
  const isInside = ([ring]) => ring.some((arc) => touches[arc < 0 ? ~arc : arc])
  const geometries = objects.countries.geometries.flatMap((country) => {
    const polygons = country.type === 'Polygon' ? [country.arcs] : (country.arcs ?? [])
    const within = polygons.filter(isInside).map((rings) => rings.map((ring) => ring.map(renumber)))
    return within.length > 0 ? [{ type: 'MultiPolygon', arcs: within }] : []
  })
  return {
    type,
    transform,
    arcs: [...positions.keys()].map((own) => arcs[own]),
    objects: { countries: { type: 'GeometryCollection', geometries } },
  }
}
