import Box from '@mui/material/Box'
import { useRecordPage } from './record-page-context'
import UsagePanel from './usage-panel'

/** Tab with the records that refer to this one. */
export default function UsageTab() {
  const { api, row } = useRecordPage<{ id: number }>()
  return (
    api.usage && (
      // the border that separates it from a form is not needed below tabs
      <Box sx={{ '& > section': { borderTop: 0, pt: 0 } }}>
        <UsagePanel id={row.id} usage={api.usage} />
      </Box>
    )
  )
}
