import Box from '@mui/material/Box'
import type { SurchargeTable } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useImpact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { PageForm } from '~/kit/records/page-form'
import { useRecordPage } from '~/kit/records/record-page-context'
import { surchargeTables } from './api'
import { SurchargeTableFields } from './fields'
import { surchargeTable } from './resource'
import { type SurchargeTableBody, surchargeTableSchema, toForm } from './schema'

export default function SurchargeTableDetails() {
  const { row } = useRecordPage<SurchargeTable>()
  const seesImpact = useMaySeeImpact('price_adjustment')
  const [confirmImpact, dialog] = useImpact()
  const confirm = (change: SurchargeTableBody) =>
    confirmImpact({ changeKind: 'update', name: row.name, request: impactOf.surchargeTable(row.id, { change }), skipsIfUnchanged: true })
  return (
    <Box sx={{ maxWidth: 560 }}>
      <PageForm
        resource={surchargeTable}
        api={surchargeTables}
        schema={surchargeTableSchema}
        toForm={toForm}
        {...(seesImpact && { confirm })}
      >
        {({ control }, row) => <SurchargeTableFields control={control} row={row} />}
      </PageForm>
      {dialog}
    </Box>
  )
}
