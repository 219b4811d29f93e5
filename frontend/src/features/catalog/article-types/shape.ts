import type { Dimension, Shape, Unit } from '~/api/schema'
import { isMeasured } from './proposed-dimension'

/** Without these a section has no weight; a radius that nobody measures counts as none. */
export const NEEDS: Readonly<Record<Shape, readonly Dimension[]>> = {
  beam: ['height', 'width', 'web_thickness', 'flange_thickness'],
  channel: ['height', 'width', 'web_thickness', 'flange_thickness'],
  channel_tapered: ['height', 'width', 'web_thickness', 'flange_thickness'],
  tee: ['height', 'width', 'thickness'],
  flat: ['width', 'thickness'],
  square: ['side'],
  round: ['diameter'],
  rebar: ['diameter'],
  hexagon: ['across_flats'],
  angle: ['height', 'width', 'thickness'],
  hollow_hot: ['height', 'width', 'thickness'],
  hollow_cold: ['height', 'width', 'thickness'],
  tube: ['diameter', 'thickness'],
  sheet: ['thickness'],
  tear_plate: ['thickness'],
}

const LENGTHS: readonly Unit[] = ['mm', 'cm', 'dm', 'm', 'km']
const AREAS: readonly Unit[] = ['mm2', 'cm2', 'dm2', 'm2']

/** Sheets and plates have an area, all else is a bar. */
export const isSheet = (section: Shape) => section === 'sheet' || section === 'tear_plate'

/** Bars are weighed by length, sheets by area; pieces, masses and volumes are weighed either way. */
export const weighsIn = (section: Shape, unit: Unit) => !(isSheet(section) ? LENGTHS : AREAS).includes(unit)

/** What a section needs and no attribute measures. */
export function unmeasured(section: Shape | '' | null, attributes: readonly { dimension?: Dimension | '' | null }[]): Dimension[] {
  return section ? NEEDS[section].filter((needed) => !isMeasured(needed, attributes)) : []
}
