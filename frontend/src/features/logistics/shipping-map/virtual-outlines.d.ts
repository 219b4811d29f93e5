declare module 'virtual:outlines' {
  import type { GeometryCollection, Topology } from 'topojson-specification'

  /** Countries of Europe and its neighbours, made by `vite.config.ts`. */
  const outlines: Topology<{ countries: GeometryCollection }>
  export default outlines
}
