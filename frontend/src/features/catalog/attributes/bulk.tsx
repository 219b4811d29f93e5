import type { AttributeFieldChange } from '~/api/schema'
import { CheckField } from '~/kit/form/fields'
import { z } from '~/kit/form/schema'
import type { BulkFields } from '~/kit/records/selection/bulk'

export default {
  primary: { schema: z.boolean(), initial: true, Field: ({ control }) => <CheckField control={control} name="primary" /> },
} satisfies BulkFields<AttributeFieldChange>
