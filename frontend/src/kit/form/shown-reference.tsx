import { useQuery } from '@tanstack/react-query'
import type { RefSource } from './ref-source'
import { ShownField } from './shown-field'

/** Read-only reference to a record of another resource, among the fields of a form. */
export function ShownReference<Row>({ label, source, id }: { label: string; source: RefSource<Row>; id: number }) {
  const { data } = useQuery(source.one(id))
  return <ShownField label={label} value={data ? source.label(data) : '\u2026'} />
}
