import UsagePanel from '../form/usage-panel'
import { useRecord } from './record'

/** What refers to the record. */
export default function UsageTab() {
  const { api, row } = useRecord<{ id: number }>()
  return api.usage && <UsagePanel id={row.id} usage={api.usage} />
}
