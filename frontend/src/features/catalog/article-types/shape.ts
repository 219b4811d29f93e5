import type { Dimension, Shape, Unit } from '~/api/schema'
import { isMeasured } from './proposed-dimension'

/**
 * Dimensions that each section needs for a weight; a radius is optional and counts as zero if it is not
 * measured.
 */
export const REQUIRED_DIMENSIONS: Readonly<Record<Shape, readonly Dimension[]>> = {
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

/** True for sheets and plates, which have an area; all other sections are bars. */
export const isSheet = (section: Shape) => section === 'sheet' || section === 'tear_plate'

/** True if a section can be weighed in a base unit: bars not by area, sheets not by length. */
export const canBeWeighedIn = (section: Shape, unit: Unit) => !(isSheet(section) ? LENGTHS : AREAS).includes(unit)

/** Returns the dimensions that a section needs and no attribute measures. */
export function missingDimensions(section: Shape | '' | null, attributes: readonly { dimension?: Dimension | '' | null }[]): Dimension[] {
  return section ? REQUIRED_DIMENSIONS[section].filter((needed) => !isMeasured(needed, attributes)) : []
}
