import Box from '@mui/material/Box'
import { PageForm } from '~/kit/record-page/page-form'
import { surchargeTables } from './api'
import { SurchargeTableFields } from './fields'
import { surchargeTable } from './resource'
import { surchargeTableSchema, toForm } from './schema'

export default function SurchargeTableDetails() {
  return (
    <Box sx={{ maxWidth: 560 }}>
      <PageForm of={surchargeTable} api={surchargeTables} schema={surchargeTableSchema} toForm={toForm}>
        {({ control }, row) => <SurchargeTableFields control={control} row={row} />}
      </PageForm>
    </Box>
  )
}
