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
  const sees = useMaySeeImpact('price_adjustment')
  const [ask, dialog] = useImpact()
  const confirm = (change: SurchargeTableBody) =>
    ask({ to: 'update', name: row.name, ask: impactOf.surchargeTable(row.id, { change }), quiet: true })
  return (
    <Box sx={{ maxWidth: 560 }}>
      <PageForm of={surchargeTable} api={surchargeTables} schema={surchargeTableSchema} toForm={toForm} {...(sees && { confirm })}>
        {({ control }, row) => <SurchargeTableFields control={control} row={row} />}
      </PageForm>
      {dialog}
    </Box>
  )
}
