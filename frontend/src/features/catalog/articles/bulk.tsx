import type { ArticleFieldChange, ArticleType, ValueInput } from '~/api/schema'
import { materialRef } from '~/features/catalog/materials/ref'
import { DecimalField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { nullableDecimal, nullableRef } from '~/kit/form/schema'
import type { BulkFields } from '~/kit/records/selection/bulk'
import { changeValues } from './bulk-values'
import { BulkValuesField } from './bulk-values-field'
import { changedValues, valuesOf, WEIGHT } from './schema'

const plain = {
  material_id: {
    schema: nullableRef(),
    initial: null,
    Field: ({ control }) => <RefField control={control} name="material_id" source={materialRef} />,
  },
  // left empty, it is computed from the section or the values
  weight_per_base_unit: {
    schema: nullableDecimal(WEIGHT),
    initial: '',
    Field: ({ control }) => <DecimalField control={control} name="weight_per_base_unit" unit="kg" />,
  },
} satisfies BulkFields<ArticleFieldChange>

/**
 * Fields for a bulk change: those of the API, and the attribute values if the list is filtered by one
 * article type.
 */
export const fieldsOf = (type: ArticleType | null) =>
  ({
    ...plain,
    values: { schema: changedValues, initial: type ? valuesOf(type, []) : [], Field: BulkValuesField, partial: true },
  }) satisfies BulkFields<ArticleFieldChange | { field: 'values'; value: ValueInput[] }>

export const sendValues = changeValues

export default plain
