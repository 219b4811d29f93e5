import type { UnresolvedNumberChange } from '~/api/schema'
import { CheckField } from '~/kit/form/fields'
import { z } from '~/kit/form/schema'
import type { BulkFields } from '~/kit/records/selection/bulk'

export default {
  ignored: {
    schema: z.boolean(),
    initial: true,
    Field: ({ control }) => <CheckField control={control} name="ignored" />,
    // a boolean cannot be emptied
    partial: true,
  },
} satisfies BulkFields<UnresolvedNumberChange>
