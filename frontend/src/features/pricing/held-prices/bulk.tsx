import { type HeldPriceChange, heldPriceDecisionValues } from '~/api/schema'
import { EnumField } from '~/kit/form/fields'
import { choice } from '~/kit/form/schema'
import type { BulkFields } from '~/kit/records/selection/bulk'

export default {
  decision: {
    schema: choice(heldPriceDecisionValues),
    initial: '',
    Field: ({ control }) => <EnumField control={control} name="decision" values={heldPriceDecisionValues} required />,
    // a decision cannot be emptied
    partial: true,
  },
} satisfies BulkFields<HeldPriceChange>
