import { availabilityTypeValues, type StockFieldChange } from '~/api/schema'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { EnumField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { choice, ref } from '~/kit/form/schema'
import type { BulkFields } from '~/kit/records/selection/bulk'
import { LeadTimeField } from './lead-time-field'
import { leadTime } from './schema'

export default {
  lead_time: { schema: leadTime(), initial: '', Field: ({ control }) => <LeadTimeField control={control} name="lead_time" /> },
  warehouse_id: {
    schema: ref(),
    initial: null,
    Field: ({ control }) => <RefField control={control} name="warehouse_id" source={warehouseRef} required />,
  },
  // availability by quantity would need a quantity in each stock
  availability_type: {
    schema: choice(availabilityTypeValues),
    initial: 'always',
    Field: ({ control }) => <EnumField control={control} name="availability_type" values={availabilityTypeValues} required />,
  },
} satisfies BulkFields<StockFieldChange>
