import { type Attribute, type Dimension, dimensionValues } from '~/api/schema'
import { fold } from '~/lib/fold'

/** How attributes that measure something are called, in either language. */
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
}

/** What an attribute with such a name measures, unless another one of the type does already. */
export function proposedDimension(
  { name, unit_category }: Pick<Attribute, 'name' | 'unit_category'>,
  taken: readonly string[],
): Dimension | '' {
  if (unit_category !== 'length') return ''
  const called = fold(name)
  const found = dimensionValues.find((dimension) => NAMES[dimension].some((one) => fold(one) === called))
  return found && !taken.includes(found) ? found : ''
}
