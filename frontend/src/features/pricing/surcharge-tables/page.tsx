import Chip from '@mui/material/Chip'
import { useTranslation } from 'react-i18next'
import type { SurchargeTable } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import { RecordPage } from '~/kit/records/record-page'
import { surchargeTables } from './api'
import { MissingChip } from './missing-chip'
import { surchargeTable } from './resource'

function State({ row }: { row: SurchargeTable }) {
  const { t } = useTranslation('surchargeTables')
  const labels = useLabels('surchargeTables')
  return (
    <>
      <Chip size="small" label={labels.enum('kind', row.kind)} />
      {row.base_table && <Chip size="small" variant="outlined" label={t('basedOn', { name: row.base_table.name })} />}
      <MissingChip row={row} />
    </>
  )
}

export default function SurchargeTablePage() {
  return <RecordPage resource={surchargeTable} api={surchargeTables} state={(row) => <State row={row} />} />
}
