import Button from '@mui/material/Button'
import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import Stack from '@mui/material/Stack'
import { skipToken, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import { RefPicker } from '~/kit/form/ref-picker'
import { focusOnMount } from '~/kit/ui/focus-on-mount'
import { NativeSelect } from '~/kit/ui/native-select'
import { DIGITS, isDecimal } from '~/lib/decimal'
import { FilterValue } from './filter-value'
import {
  cleanSearchText,
  type Filter,
  type FilterSpec,
  OPS,
  type Op,
  opsOf,
  opTextKey,
  specOf,
  type ValueSpec,
  validValue,
} from './list-state'
import { answerOf, type Comparison, comparisonOf, comparisonsOf, isReversed, rangeOf } from './ranges'
import type { List } from './use-list-state'

interface Props {
  list: List
  /** Filter to edit, or the two ends of a range; null for a new one. */
  initial: Filter[] | null
  onApply: (filters: Filter[]) => void
  onCancel: () => void
}

const NOTHING: { queryKey: never[]; queryFn: typeof skipToken } = { queryKey: [], queryFn: skipToken }
const EMPTY_SOURCE: ValueSpec['source'] = { find: () => NOTHING, one: () => NOTHING, id: () => 0, label: () => '' }

/** Loads the record to which a value belongs. */
function useRecord(spec: FilterSpec, record: number | null) {
  const source = spec.kind === 'value' ? spec.source : EMPTY_SOURCE
  return useQuery({ ...source.one(record ?? 0), enabled: spec.kind === 'value' && record !== null }).data
}

/** Records whose values make sense with the current filters; each is offered as a field. */
function useNarrowedRecords(list: List): { id: number; label: string }[] {
  const spec = Object.values(list.spec.filters).find((filter) => filter.kind === 'value')
  return useQuery(spec?.narrow?.(list.state.filters) ?? NOTHING).data ?? []
}

/** Error keys of invalid values by kind. */
const ERROR_KEYS: Partial<Record<FilterSpec['kind'], 'digits' | 'date'>> = { decimal: 'digits', date: 'date' }

/** Editor of a filter: field, comparison, value. Native controls; Enter applies. */
export default function FilterEditor({ list, initial, onApply, onCancel }: Props) {
  const { t } = useTranslation()
  const { t: tools } = useTranslation('listTools')
  const labels = useLabels(list.ns)
  const id = useId()
  const fields = Object.keys(list.spec.filters).filter((name) => {
    const kind = list.spec.filters[name]?.kind
    // a key filter is only created by links, but can be viewed here
    return kind !== 'search' && (kind !== 'key' || initial?.some((filter) => filter.field === name))
  })
  const [first] = initial ?? []
  const initialField = first && specOf(list.spec, first.field)
  const [field, setField] = useState(initialField?.name ?? fields.find((name) => name !== list.spec.search) ?? fields[0] ?? '')
  const spec: FilterSpec = list.spec.filters[field] ?? { kind: 'text' }
  const [record, setRecord] = useState(initialField?.record ?? null)
  const recordRow = useRecord(spec, record)
  const narrowedRecords = useNarrowedRecords(list)
  const isListed = record !== null && narrowedRecords.some((candidate) => candidate.id === record)
  const [op, setOp] = useState<Comparison>((initial && comparisonOf(initial)) ?? OPS[spec.kind][0] ?? 'is')
  const [values, setValues] = useState<string[]>(() => (initial ?? []).flatMap((filter) => (filter.op === 'empty' ? [] : filter.values)))
  const [failed, setFailed] = useState<'filterValue' | 'digits' | 'date' | 'reversed' | null>(null)
  const multiple = spec.kind === 'enum' && op === 'is'
  const ops: readonly Op[] = spec.kind === 'value' ? (recordRow ? spec.ops(recordRow) : ['is']) : opsOf(spec)
  const answer = answerOf(op)

  const nameOnWire = spec.kind === 'value' ? `${field}_${record}` : field

  function change(name: string) {
    const next = specOf(list.spec, name)
    setField(next?.name ?? name)
    setRecord(next?.record ?? null)
    setOp(OPS[next?.spec.kind ?? 'text'][0] ?? 'is')
    setValues([])
    setFailed(null)
  }

  function changeRecord(next: number | null) {
    setRecord(next)
    setOp('is')
    setValues([])
    setFailed(null)
  }

  function enter(next: string[]) {
    setValues(next)
    setFailed(null)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (answer) {
      if (spec.kind === 'value' && record === null) return setFailed('filterValue')
      return onApply([{ field: nameOnWire, op: 'empty', values: [answer] }])
    }
    // hidden inputs do not count
    const visibleValues = multiple ? values : values.slice(0, op === 'range' ? 2 : 1)
    // a unit without a number counts as empty
    const isOpen = (value: string) => op === 'range' && value.split(' ')[0] === ''
    const onWire = (value: string) => (spec.kind === 'decimal' ? (isDecimal(value) ? value : '') : cleanSearchText(value))
    const wire = visibleValues.map((value) => (isOpen(value) ? '' : onWire(value)))
    const filledValues = wire.filter((_, at) => !isOpen(visibleValues[at] ?? ''))
    const invalidValue = filledValues.find(
      (value) => !validValue(spec, value) || (spec.kind === 'value' && !(recordRow && spec.valid(recordRow, value))),
    )
    if (filledValues.length === 0 || invalidValue !== undefined) return setFailed((invalidValue && ERROR_KEYS[spec.kind]) || 'filterValue')
    if (op === 'range' && isReversed(wire)) return setFailed('reversed')
    onApply(op === 'range' ? rangeOf(nameOnWire, wire) : [{ field: nameOnWire, op: op as Op, values: wire }])
  }

  const parts = answer
    ? []
    : op === 'range'
      ? [0, 1].map((at) => ({
          id: `${id}-value-${at}`,
          label: tools(at === 0 ? 'filter.from' : 'filter.until'),
          values: values[at] ? [values[at]] : [],
          enter: ([next = '']: string[]) => enter(at === 0 ? [next, values[1] ?? ''] : [values[0] ?? '', next]),
        }))
      : [{ id: `${id}-value`, label: tools('filter.value'), values, enter }]

  return (
    <Stack component="form" onSubmit={submit} spacing={1.5} sx={{ p: 2 }} noValidate>
      <FormControl fullWidth>
        <FormLabel htmlFor={`${id}-field`}>{tools('filter.field')}</FormLabel>
        <NativeSelect
          value={isListed ? `${field}_${record}` : field}
          onChange={(event) => change(event.target.value)}
          inputProps={{ id: `${id}-field` }}
        >
          {fields.map((name) =>
            narrowedRecords.length > 0 && list.spec.filters[name]?.kind === 'value' && (name !== field || isListed) ? (
              <optgroup key={name} label={labels.field(name)}>
                {narrowedRecords.map((recordOption) => (
                  <option key={recordOption.id} value={`${name}_${recordOption.id}`}>
                    {recordOption.label}
                  </option>
                ))}
              </optgroup>
            ) : (
              <option key={name} value={name}>
                {labels.field(name)}
              </option>
            ),
          )}
        </NativeSelect>
      </FormControl>
      {spec.kind === 'value' && !isListed && (
        <FormControl fullWidth error={failed !== null && record === null}>
          <FormLabel htmlFor={`${id}-record`}>{labels.field(field)}</FormLabel>
          <RefPicker
            id={`${id}-record`}
            source={spec.source}
            value={record}
            onChange={changeRecord}
            inputRef={record === null ? focusOnMount : undefined}
            invalid={failed !== null && record === null}
          />
        </FormControl>
      )}
      <FormControl fullWidth>
        <FormLabel htmlFor={`${id}-op`}>{tools('filter.op')}</FormLabel>
        <NativeSelect value={op} onChange={(event) => setOp(event.target.value as Comparison)} inputProps={{ id: `${id}-op` }}>
          {comparisonsOf(ops).map((name) => (
            <option key={name} value={name}>
              {name === 'range'
                ? tools('filter.range')
                : t((answerOf(name) ? `ops.${name}` : `ops.${opTextKey(spec.kind)}.${name}`) as 'ops.empty')}
            </option>
          ))}
        </NativeSelect>
      </FormControl>
      {parts.map((part, at) => (
        <FormControl key={part.id} fullWidth error={failed !== null}>
          <FormLabel htmlFor={part.id} id={`${part.id}-label`}>
            {part.label}
          </FormLabel>
          <FilterValue
            id={part.id}
            ns={list.ns}
            field={field}
            spec={spec}
            record={record}
            multiple={multiple}
            values={part.values}
            onChange={part.enter}
            autoFocus={at === 0}
            invalid={failed !== null}
            describedBy={failed ? `${id}-error` : undefined}
          />
          {failed && at === parts.length - 1 && (
            <FormHelperText id={`${id}-error`}>{t(`validation.${failed}`, { ...DIGITS })}</FormHelperText>
          )}
        </FormControl>
      ))}
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end' }}>
        <Button color="inherit" onClick={onCancel}>
          {t('actions.cancel')}
        </Button>
        <Button type="submit" variant="contained">
          {t('actions.apply')}
        </Button>
      </Stack>
    </Stack>
  )
}
