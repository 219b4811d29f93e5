import type { ArticleFieldChange } from '~/api/schema'
import { materialRef } from '~/features/materials/ref'
import { DecimalField, RefField } from '~/kit/form/fields'
import { nullableDecimal, nullableRef } from '~/kit/form/schema'
import type { BulkFields } from '~/kit/list/selection/bulk'
import { WEIGHT } from './schema'

export default {
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
