import { type Attribute, type Dimension, dimensionValues, type UnitCategory } from '~/api/schema'
import { fold } from '~/lib/fold'

/** Common names of attributes that measure a dimension, in both languages. */
const NAMES: Record<Dimension, readonly string[]> = {
  length: ['Länge', 'Stablänge', 'Handelslänge', 'length', 'bar length'],
  width: ['Breite', 'Flanschbreite', 'Blechbreite', 'width', 'flange width'],
  height: ['Höhe', 'Profilhöhe', 'height', 'depth'],
  thickness: ['Dicke', 'Stärke', 'Wanddicke', 'Wandstärke', 'Blechdicke', 'Blechstärke', 'thickness', 'wall thickness', 'sheet thickness'],
  web_thickness: ['Stegdicke', 'Stegstärke', 'web thickness'],
  flange_thickness: ['Flanschdicke', 'Flanschstärke', 'flange thickness'],
  radius: ['Radius', 'Wurzelradius', 'Ausrundungsradius', 'root radius'],
  diameter: ['Durchmesser', 'Außendurchmesser', 'diameter', 'outer diameter', 'outside diameter'],
  side: ['Kantenlänge', 'Seitenlänge', 'side', 'side length'],
  across_flats: ['Schlüsselweite', 'width across flats', 'across flats'],
  format: ['Format', 'Blechformat', 'Tafelformat', 'sheet format'],
  piece_area: ['Fläche je Stück', 'area per piece'],
  piece_weight: ['Stückgewicht', 'Gewicht je Stück', 'weight per piece', 'piece weight'],
}

/** Unit category of the numbers that measure a dimension. */
const categoryOf = (dimension: Dimension): UnitCategory =>
  dimension === 'piece_area' ? 'area' : dimension === 'piece_weight' ? 'mass' : 'length'

/** Dimensions that a format consists of. */
const MEASURED: Partial<Record<Dimension, readonly Dimension[]>> = { format: ['length', 'width'] }
const measuredBy = (dimension: Dimension | ''): readonly Dimension[] => (dimension ? (MEASURED[dimension] ?? [dimension]) : [])

/** True if one of the attributes measures the dimension, alone or as a side of a format. */
export const isMeasured = (target: Dimension, attributes: readonly { dimension?: Dimension | '' | null }[]): boolean =>
  attributes.some(({ dimension }) => measuredBy(dimension ?? '').includes(target))

/** True if two attributes would measure the same dimension. */
export const isMeasuredTwice = (one: Dimension | '', other: Dimension | ''): boolean =>
  measuredBy(one).some((dimension) => measuredBy(other).includes(dimension))

type MeasurableAttribute = Pick<Attribute, 'type' | 'unit_category' | 'options'>

/**
 * Options that begin with a number; `FORMAT` matches those with two sides. The server parses them; here they
 * decide which dimensions are offered.
 */
const NUMBER = /^\s*\d/
const FORMAT = /^\s*\d[\d.,]*\s*\p{L}*\s*[x×*]\s*\d/iu
const areAll = (options: Attribute['options'], pattern: RegExp) =>
  options.length > 0 && options.every(({ name, value }) => pattern.test(value) || pattern.test(name))

/**
 * Dimensions that an attribute can measure: by unit category for numbers, by the text of all options for
 * categorial ones.
 */
export const measurableDimensions = ({ type, unit_category, options }: MeasurableAttribute): readonly Dimension[] => {
  if (type === 'categorial') {
    if (areAll(options, FORMAT)) return ['format']
    return areAll(options, NUMBER) ? dimensionValues.filter((dimension) => dimension !== 'format') : []
  }
  if (type !== 'metric') return []
  return dimensionValues.filter((dimension) => dimension !== 'format' && categoryOf(dimension) === unit_category)
}

/**
 * Returns the dimension that the name of an attribute suggests, unless another attribute of the type
 * measures it already.
 */
export function proposedDimension(
  attribute: MeasurableAttribute & Pick<Attribute, 'name'>,
  usedDimensions: readonly (Dimension | '')[],
): Dimension | '' {
  const attributeName = fold(attribute.name)
  const proposal = measurableDimensions(attribute).find((dimension) => NAMES[dimension].some((one) => fold(one) === attributeName))
  return proposal && !usedDimensions.some((other) => isMeasuredTwice(proposal, other)) ? proposal : ''
}
