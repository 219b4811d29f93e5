import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { RefSource } from './ref-source'

/** Name of a referenced record. */
export function RefText<Row>({ source, id }: { source: RefSource<Row>; id: number }) {
  const { t } = useTranslation()
  const { data, isPending } = useQuery(source.one(id))
  if (data) return source.label(data)
  return isPending ? '\u2026' : t('states.unknownValue')
}
