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
  // without one it is what follows from section or values
  weight_per_base_unit: {
    schema: nullableDecimal(WEIGHT),
    initial: '',
    Field: ({ control }) => <DecimalField control={control} name="weight_per_base_unit" unit="kg" />,
  },
} satisfies BulkFields<ArticleFieldChange>

/**
 * Besides what the contract changes in many articles at once, the values that the articles of one type have; null as long as the
 * list is not filtered by one.
 */
export const fieldsOf = (type: ArticleType | null) =>
  ({
    ...plain,
    values: { schema: changedValues, initial: type ? valuesOf(type, []) : [], Field: BulkValuesField, partial: true },
  }) satisfies BulkFields<ArticleFieldChange | { field: 'values'; value: ValueInput[] }>

export const sendValues = changeValues

export default plain
