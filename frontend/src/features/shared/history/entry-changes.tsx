import type { AuditEntry } from '~/api/schema'
import { Changes } from './changes'
import { PriceSummary } from './price-summary'

/** What an entry of the history says: what became of each field, or how many prices of a list were changed. */
export const EntryChanges = ({ entry }: { entry: AuditEntry }) =>
  entry.action === 'prices_changed' ? <PriceSummary entry={entry} /> : <Changes entry={entry} />
