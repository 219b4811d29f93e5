import Button from '@mui/material/Button'
import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import { skipToken, useQuery } from '@tanstack/react-query'
import { type FormEvent, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { DIGITS, formatDecimal, parseDecimal } from '~/lib/decimal'
import { RefPicker } from '../form/ref-picker'
import { type Filter, type FilterSpec, OPS, type Op, searched, specOf, type ValueSpec, validValue } from './list-state'
import type { List } from './use-list-state'

interface Props {
  list: List
  initial: Filter | null
  onApply: (filter: Filter) => void
  onCancel: () => void
}

const NOBODY: ValueSpec['source'] = {
  find: () => ({ queryKey: [], queryFn: skipToken }),
  one: () => ({ queryKey: [], queryFn: skipToken }),
  id: () => 0,
  label: () => '',
}

/** The record that a value is of. */
function useRecord(spec: FilterSpec, record: number | null) {
  const source = spec.kind === 'value' ? spec.source : NOBODY
  return useQuery({ ...source.one(record ?? 0), enabled: spec.kind === 'value' && record !== null }).data
}

/** Field, operator, value: native controls, Enter applies. */
export default function FilterEditor({ list, initial, onApply, onCancel }: Props) {
  const { t } = useTranslation()
  const { t: tools } = useTranslation('listTools')
  const labels = useLabels(list.ns)
  const { lang } = useFormat()
  const id = useId()
  const fields = Object.keys(list.spec.filters).filter((name) => list.spec.filters[name]?.kind !== 'search')
  const known = initial && specOf(list.spec, initial.field)
  const [field, setField] = useState(known?.name ?? fields.find((name) => name !== list.spec.search) ?? fields[0] ?? '')
  const spec: FilterSpec = list.spec.filters[field] ?? { kind: 'text' }
  const [record, setRecord] = useState(known?.record ?? null)
  const of = useRecord(spec, record)
  const [op, setOp] = useState<Op>(initial?.op ?? OPS[spec.kind][0] ?? 'is')
  const [values, setValues] = useState<string[]>(() =>
    spec.kind === 'decimal' ? (initial?.values ?? []).map((value) => formatDecimal(value, lang, 6, false)) : (initial?.values ?? []),
  )
  const [failed, setFailed] = useState<'filterValue' | 'digits' | null>(null)
  const several = spec.kind === 'enum' && op === 'is'

  function changeField(name: string) {
    setField(name)
    setOp(OPS[list.spec.filters[name]?.kind ?? 'text'][0] ?? 'is')
    setRecord(null)
    setValues([])
    setFailed(null)
  }

  function changeRecord(next: number | null) {
    setRecord(next)
    setOp('is')
    setValues([])
    setFailed(null)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    // what is not shown does not count
    const shown = several ? values : values.slice(0, 1)
    const wire = shown.map((value) => (spec.kind === 'decimal' ? (parseDecimal(value, lang) ?? '') : searched(value)))
    const wrong = wire.find((value) => !validValue(spec, value) || (spec.kind === 'value' && !(of && spec.valid(of, value))))
    if (wire.length === 0 || wrong !== undefined) return setFailed(spec.kind === 'decimal' && wrong ? 'digits' : 'filterValue')
    onApply({ field: spec.kind === 'value' ? `${field}_${record}` : field, op, values: wire })
  }

  const one = (value: string) => {
    setValues(value === '' ? [] : [value])
    setFailed(null)
  }
  const valueId = `${id}-value`
  const choices =
    spec.kind === 'bool'
      ? [
          ['true', t('states.yes')],
          ['false', t('states.no')],
        ]
      : spec.kind === 'enum'
        ? spec.values.map((value) => [value, spec.Text ? <spec.Text key={value} value={value} /> : labels.enum(field, value)] as const)
        : null

  return (
    <Stack component="form" onSubmit={submit} spacing={1.5} sx={{ p: 2 }} noValidate>
      <FormControl fullWidth>
        <FormLabel htmlFor={`${id}-field`}>{tools('filter.field')}</FormLabel>
        <Select native value={field} onChange={(event) => changeField(event.target.value)} inputProps={{ id: `${id}-field` }}>
          {fields.map((name) => (
            <option key={name} value={name}>
              {labels.field(name)}
            </option>
          ))}
        </Select>
      </FormControl>
      {spec.kind === 'value' && (
        <FormControl fullWidth error={failed !== null && record === null}>
          <FormLabel htmlFor={`${id}-record`}>{labels.field(field)}</FormLabel>
          <RefPicker
            id={`${id}-record`}
            source={spec.source}
            value={record}
            onChange={changeRecord}
            invalid={failed !== null && record === null}
          />
        </FormControl>
      )}
      <FormControl fullWidth>
        <FormLabel htmlFor={`${id}-op`}>{tools('filter.op')}</FormLabel>
        <Select native value={op} onChange={(event) => setOp(event.target.value as Op)} inputProps={{ id: `${id}-op` }}>
          {(spec.kind === 'value' ? (of ? spec.ops(of) : (['is'] as const)) : OPS[spec.kind]).map((name) => (
            <option key={name} value={name}>
              {t(`ops.${spec.kind}.${name}` as 'ops.text.is')}
            </option>
          ))}
        </Select>
      </FormControl>
      <FormControl fullWidth error={failed !== null}>
        <FormLabel htmlFor={valueId} id={`${id}-value-label`}>
          {tools('filter.value')}
        </FormLabel>
        {spec.kind === 'value' ? (
          record === null ? (
            <OutlinedInput id={valueId} disabled value="" />
          ) : (
            <Suspense fallback={<OutlinedInput id={valueId} disabled value="" />}>
              <spec.Input
                key={record}
                id={valueId}
                record={record}
                value={values[0] ?? ''}
                onChange={one}
                invalid={failed !== null}
                describedBy={failed ? `${id}-error` : undefined}
              />
            </Suspense>
          )
        ) : spec.kind === 'ref' ? (
          <RefPicker
            id={valueId}
            source={spec.source}
            value={values[0] ? Number(values[0]) : null}
            onChange={(ref) => one(ref === null ? '' : String(ref))}
            invalid={failed !== null}
          />
        ) : choices ? (
          <Select
            multiple={several}
            value={several ? values : (values[0] ?? '')}
            onChange={(event) => {
              const next = event.target.value as string | string[]
              if (typeof next === 'string') one(next)
              else setValues(next)
            }}
            labelId={`${id}-value-label`}
            id={valueId}
          >
            {choices.map(([value, label]) => (
              <MenuItem key={value} value={value}>
                {label}
              </MenuItem>
            ))}
          </Select>
        ) : (
          <OutlinedInput
            id={valueId}
            autoFocus
            type={spec.kind === 'date' ? 'date' : 'text'}
            value={values[0] ?? ''}
            onChange={(event) => one(event.target.value)}
            endAdornment={spec.kind === 'decimal' ? spec.unit : undefined}
            inputProps={{
              maxLength: 255,
              ...(spec.kind === 'decimal' && { inputMode: 'decimal' as const }),
              ...(spec.kind === 'date' && { min: '1900-01-01', max: '2099-12-31' }),
              ...(failed && { 'aria-describedby': `${id}-error` }),
            }}
          />
        )}
        {failed && <FormHelperText id={`${id}-error`}>{t(`validation.${failed}`, { ...DIGITS })}</FormHelperText>}
      </FormControl>
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
