import OutlinedInput from '@mui/material/OutlinedInput'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Unit } from '~/api/schema'
import { useUnitSymbols, useUnits } from '~/api/units'
import { attributeRef } from '~/features/catalog/attributes/ref'
import { UnitInput } from '~/features/shared/quantity/unit-select'
import { useFormat } from '~/i18n/use-format'
import { DecimalInput } from '~/kit/form/decimal-input'
import type { ValueInputProps } from '~/kit/table/list-state'
import { NativeSelect } from '~/kit/ui/native-select'
import { splitMeasure } from './measure'

export function Input({ id, record, value, onChange, invalid, describedBy }: ValueInputProps) {
  const { t } = useTranslation()
  const { t: articles } = useTranslation('articles')
  const { data: attribute } = useQuery(attributeRef.one(record))
  const units = useUnits().filter(({ category }) => category === attribute?.unit_category)
  const described = describedBy ? { 'aria-describedby': describedBy } : {}
  if (!attribute) return <OutlinedInput id={id} disabled value="" />
  if (attribute.type === 'metric') {
    const [number, unit] = splitMeasure(value)
    const chosen = unit || attribute.default_unit || ''
    return (
      <DecimalInput
        id={id}
        error={invalid}
        value={number}
        onChange={(typed) => onChange(typed && `${typed} ${chosen}`)}
        onBlur={() => {}}
        inputProps={described}
        unit={
          <UnitInput
            value={chosen}
            onChange={(event) => onChange(`${number} ${event.target.value}`)}
            units={units.map(({ unit: one }) => one)}
            label={articles('unitOf', { name: attribute.name })}
          />
        }
      />
    )
  }
  if (attribute.type === 'categorial') {
    return (
      <NativeSelect value={value} onChange={(event) => onChange(event.target.value)} inputProps={{ id, ...described }} error={invalid}>
        <option value="">{t('form.choose')}</option>
        {attribute.options.map((option) => (
          <option key={option.id} value={option.name}>
            {option.name}
          </option>
        ))}
      </NativeSelect>
    )
  }
  return (
    <OutlinedInput
      id={id}
      error={invalid}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      inputProps={{ maxLength: 255, ...described }}
    />
  )
}

export function Text({ record, value }: { record: number; value: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const symbol = useUnitSymbols()
  const { data: attribute } = useQuery(attributeRef.one(record))
  if (attribute?.type === 'metric') {
    const [number, unit] = splitMeasure(value)
    const displayUnit = unit || attribute.default_unit
    return `${format.decimal(number)}${displayUnit ? ` ${symbol(displayUnit as Unit)}` : ''}`
  }
  return attribute?.type === 'categorial' ? value : t('list.filterText', { value })
}
