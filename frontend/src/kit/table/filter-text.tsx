import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { RefText } from '~/kit/form/ref-text'
import { type Filter, type FilterSpec, opTextKey, specOf } from './list-state'
import type { List } from './use-list-state'

interface Props {
  ns: List['ns']
  field: string
  record: number | null
  spec: FilterSpec
  value: string
}

function ValueText({ ns, field, record, spec, value }: Props) {
  const { t } = useTranslation()
  const labels = useLabels(ns)
  const format = useFormat()
  switch (spec.kind) {
    case 'decimal':
      return `${format.decimal(value)}${spec.unit ? ` ${spec.unit}` : ''}`
    case 'date':
      return format.date(`${value}T12:00:00`)
    case 'bool':
      return t(value === 'true' ? 'states.yes' : 'states.no')
    case 'enum':
      return spec.Text ? <spec.Text value={value} /> : labels.enum(field, value)
    case 'id':
      return value
    case 'key':
      return `${value.slice(0, 8)}…`
    case 'ref':
      return <RefText source={spec.source} id={Number(value)} />
    case 'value':
      return (
        <Suspense fallback={value}>
          <spec.Text record={record ?? 0} value={value} />
        </Suspense>
      )
    default:
      return t('list.filterText', { value })
  }
}

/**
 * Text of a filter: "Density at least 7.8", "Density from 7.8 to 8", with names of referenced records
 * instead of ids.
 */
export function FilterText({ list, filters }: { list: List; filters: readonly Filter[] }) {
  const { t } = useTranslation()
  const labels = useLabels(list.ns)
  const [first, until] = filters
  const filterField = first && specOf(list.spec, first.field)
  if (!filterField) return null
  const { spec, record } = filterField
  const text = ({ field, values }: Filter) =>
    values.map((value, at) => (
      <span key={value}>
        {at > 0 && ', '}
        <strong>
          <ValueText ns={list.ns} field={field} record={record} spec={spec} value={value} />
        </strong>
      </span>
    ))
  const name = spec.kind === 'value' ? <RefText source={spec.source} id={record ?? 0} /> : labels.field(first.field)
  if (first.op === 'empty') {
    return (
      <>
        {name} {t(first.values[0] === 'false' ? 'ops.filled' : 'ops.empty')}
      </>
    )
  }
  return (
    <>
      {name} {until ? t('ops.from') : t(`ops.${opTextKey(spec.kind)}.${first.op}` as 'ops.text.is')} {text(first)}
      {until && (
        <>
          {' '}
          {t('ops.until')} {text(until)}
        </>
      )}
    </>
  )
}
