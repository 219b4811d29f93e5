import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import { useTranslation } from 'react-i18next'
import { type Unit, type Weekday, weekdayValues } from '~/api/schema'
import { useUnits } from '~/api/units'
import { UnitInput } from '~/features/shared/quantity/unit-select'
import { useFormat } from '~/i18n/use-format'
import { DateInput } from '~/kit/form/date-input'
import { DecimalInput } from '~/kit/form/decimal-input'
import { RefsInput } from '~/kit/form/refs-field'
import { weekdayNames } from '~/lib/dates'
import { useRights } from '~/session/me'
import { useEditor } from './editor-context'
import { recordsOf, valueKind } from './subjects'
import type { TestNode } from './tree'

const IDS_MAX = 200

interface Props {
  node: TestNode
  id: string
  /** Accessible name of the node. */
  name: string
  invalid: boolean
  describedBy: string | undefined
}

/** Input for the value that a subject is compared with: typed, selected or searched. */
export function ValueInput({ node, id, name, invalid, describedBy }: Props) {
  const { t } = useTranslation(['conditions', 'whyPrice'])
  const { lang } = useFormat()
  const { tree, readOnly } = useEditor()
  const rights = useRights()
  const units = useUnits()
  const kind = valueKind(node.type)
  const set = (value: TestNode['value']) => tree.setTest(node.key, { value })
  const label = t('valueOf', { node: name })
  const inputProps = { 'aria-label': label, 'aria-describedby': describedBy, maxLength: 20 }

  if (kind === 'records') {
    const records = recordsOf(node.type)
    const ids = (Array.isArray(node.value) ? node.value : []) as number[]
    const canSearch = records !== null && rights.has(records.permission)
    return (
      records && (
        <RefsInput
          id={id}
          source={records.source}
          value={ids}
          onChange={set}
          canSearch={canSearch}
          none={canSearch ? undefined : t('noRight')}
          label={t('pick', { type: t(`whyPrice:conditions.type.${node.type}`) })}
          max={IDS_MAX}
          readOnly={readOnly}
          invalid={invalid}
          describedBy={describedBy}
        />
      )
    )
  }

  if (kind === 'weekday') {
    const chosen = (Array.isArray(node.value) ? node.value : []) as string[]
    const names = weekdayNames(lang, 'long')
    const toggle = (day: Weekday) => set(weekdayValues.filter((one) => chosen.includes(one) !== (one === day)))
    return (
      <Stack direction="row" useFlexGap role="group" aria-label={label} sx={{ flexWrap: 'wrap', gap: 0.5 }}>
        {weekdayValues.map((day, at) => {
          const isChosen = chosen.includes(day)
          return (
            <Chip
              key={day}
              component="button"
              type="button"
              clickable={!readOnly}
              disabled={readOnly && !isChosen}
              aria-pressed={isChosen}
              aria-describedby={describedBy}
              {...(invalid && at === 0 && { 'aria-invalid': true })}
              label={names[at]}
              color={isChosen ? 'primary' : 'default'}
              variant={isChosen ? 'filled' : 'outlined'}
              onClick={() => !readOnly && toggle(day)}
            />
          )
        })}
      </Stack>
    )
  }

  const text = typeof node.value === 'string' ? node.value : ''
  if (kind === 'date') {
    return <DateInput id={id} value={text} onChange={set} disabled={readOnly} error={invalid} fullWidth inputProps={inputProps} />
  }

  const offered = units.filter(({ category }) => kind === 'quantity' || category === 'mass').map(({ unit }) => unit)
  const choices = node.unit && !offered.includes(node.unit) ? [node.unit, ...offered] : offered
  return (
    <DecimalInput
      id={id}
      value={text}
      onChange={set}
      onBlur={() => {}}
      disabled={readOnly}
      error={invalid}
      fullWidth
      inputProps={inputProps}
      unit={
        kind === 'amount' ? (
          '€'
        ) : (
          <UnitInput
            units={choices}
            value={node.unit ?? ''}
            disabled={readOnly}
            onChange={({ target: { value } }) => tree.setTest(node.key, { unit: value as Unit })}
            label={t('unitOf', { node: name })}
          />
        )
      }
    />
  )
}
