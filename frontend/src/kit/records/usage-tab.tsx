import Box from '@mui/material/Box'
import { useRecord } from './record'
import UsagePanel from './usage-panel'

/** What refers to the record. */
export default function UsageTab() {
  const { api, row } = useRecord<{ id: number }>()
  return (
    api.usage && (
      // below a form it is set off, here by the tabs
      <Box sx={{ '& > section': { borderTop: 0, pt: 0 } }}>
        <UsagePanel id={row.id} usage={api.usage} />
      </Box>
    )
  )
}
