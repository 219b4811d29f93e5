import type { GeometryCollection, Topology } from 'topojson-specification'

interface Box {
  west: number
  south: number
  east: number
  north: number
}

type Countries = Topology<{ countries: GeometryCollection }>

export function cutOutlines(topology: Countries, box: Box): Countries
