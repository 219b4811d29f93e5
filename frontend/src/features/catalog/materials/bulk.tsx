import type { MaterialFieldChange } from '~/api/schema'
import { DecimalField, TextField } from '~/kit/form/fields'
import type { BulkFields } from '~/kit/records/selection/bulk'
import { materialSchema } from './schema'

const { display_name, article_number_name, density } = materialSchema.shape

export default {
  display_name: {
    schema: display_name,
    initial: '',
    Field: ({ control }) => <TextField control={control} name="display_name" max={255} />,
  },
  article_number_name: {
    schema: article_number_name,
    initial: '',
    Field: ({ control }) => <TextField control={control} name="article_number_name" max={255} />,
  },
  density: { schema: density, initial: '', Field: ({ control }) => <DecimalField control={control} name="density" unit="kg/dm³" /> },
} satisfies BulkFields<MaterialFieldChange>
