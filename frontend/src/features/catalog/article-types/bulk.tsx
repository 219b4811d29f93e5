import type { Control } from 'react-hook-form'
import { type ArticleTypeFieldChange, unitValues } from '~/api/schema'
import { articleTypeGroupRef } from '~/features/catalog/article-type-groups/ref'
import { useLabels } from '~/i18n/labels'
import { EnumField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { choice, nullableRef } from '~/kit/form/schema'
import type { BulkFields } from '~/kit/records/selection/bulk'

function UnitField({ control, name }: { control: Control; name: string }) {
  const labels = useLabels('articleTypes')
  return (
    <EnumField control={control} name={name} required values={unitValues} labelOf={(unit) => labels.enum('base_unit_of_measure', unit)} />
  )
}

export default {
  article_type_group_id: {
    schema: nullableRef(),
    initial: null,
    Field: ({ control }) => <RefField control={control} name="article_type_group_id" source={articleTypeGroupRef} />,
  },
  listing_unit_of_measure: {
    schema: choice(unitValues),
    initial: '',
    Field: ({ control }) => <UnitField control={control} name="listing_unit_of_measure" />,
  },
  price_unit_of_measure: {
    schema: choice(unitValues),
    initial: '',
    Field: ({ control }) => <UnitField control={control} name="price_unit_of_measure" />,
  },
} satisfies BulkFields<ArticleTypeFieldChange>
