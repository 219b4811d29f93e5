import type { AuditEntry } from '~/api/schema'
import { FieldChanges } from './changes'
import { PriceSummary } from './price-summary'

/** Contents of a history entry: the changes of each field, or the number of changed prices of a list. */
export const EntryChanges = ({ entry }: { entry: AuditEntry }) =>
  entry.action === 'prices_changed' ? <PriceSummary entry={entry} /> : <FieldChanges entry={entry} />
