import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { ArrowRight } from 'lucide-react'
import { type MouseEvent, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry, AuditedChange } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { isCondition } from './is-condition'
import { joinPrices } from './join-prices'
import { holdsNothing, isInternal } from './record'
import { useFieldText } from './use-field-text'
import { useFieldValueText } from './use-value-text'
import { countValues, type ValueCounts } from './value-counts'

const ConditionValue = lazyWithTexts(() => import('./condition-value'), 'conditions', 'whyPrice')

/** Maximum number of fields, and of parts of a field, that are shown before expanding. */
const MAX_FIELDS = 4
const MAX_PARTS = 6

/** Handler that keeps the click from the surrounding row, which would open the record. */
const withoutBubbling = (handler: () => void) => (event: MouseEvent) => {
  event.stopPropagation()
  handler()
}

function Parts({
  field,
  parts,
  text,
  kind,
}: {
  field: string
  parts: unknown[]
  text: (field: string, value: unknown) => string
  kind: 'come' | 'went'
}) {
  const { t } = useTranslation('audit')
  const [all, setAll] = useState(false)
  if (parts.length === 0) return null
  // departures of many days are one part
  const more = all || field === 'departures' ? 0 : parts.length - MAX_PARTS
  return (
    <div>
      {t(kind, { parts: text(field, more > 0 ? parts.slice(0, MAX_PARTS) : parts) })}
      {more > 0 && (
        <Link component="button" type="button" sx={{ ml: 0.75, verticalAlign: 'baseline' }} onClick={withoutBubbling(() => setAll(true))}>
          {t('moreParts', { count: more })}
        </Link>
      )}
    </div>
  )
}

/** Counts of changed values of a surcharge table, of which one save changes many. */
function Counts({ removed, added }: { removed: unknown[]; added: unknown[] }) {
  const { t } = useTranslation('audit')
  const { decimal } = useFormat()
  const counts = Object.entries(countValues(removed as never, added as never)).filter(([, count]) => count > 0)
  return counts.map(([kind, count]) => t(`values.${kind as keyof ValueCounts}`, { count, number: decimal(count) })).join(', ')
}

function Value({ record, field, value }: { record: string; field: string; value: unknown }) {
  const text = useFieldValueText(record)
  if (!isCondition(value)) return text(field, value)
  return (
    <Suspense fallback={'\u2026'}>
      <ConditionValue condition={value} />
    </Suspense>
  )
}

function Line({ record, change }: { record: string; change: AuditedChange }) {
  const { t } = useTranslation('audit')
  const field = useFieldText(record).field
  const text = useFieldValueText(record)
  const name = change.of?.name ?? field(change.field)
  const { from, to } = change as { from: unknown; to: unknown }
  const unit = change.unit ? ` ${change.unit}` : ''
  const both = Array.isArray(from) && Array.isArray(to)
  return (
    <Box component="li" sx={{ overflowWrap: 'anywhere' }}>
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {name}:{' '}
      </Box>
      {both ? (
        <>
          {change.field === 'surcharge_value' && <Counts removed={from} added={to} />}
          <Parts kind="come" field={change.field} parts={to} text={text} />
          <Parts kind="went" field={change.field} parts={from} text={text} />
        </>
      ) : (
        <>
          {from !== null && (
            <>
              <del dir="auto">
                <span style={visuallyHidden}>{t('from')} </span>
                <Value record={record} field={change.field} value={from} />
                {unit}
              </del>{' '}
              <ArrowRight size="1em" aria-hidden style={{ verticalAlign: '-0.125em' }} />{' '}
            </>
          )}
          <ins dir="auto" style={{ textDecoration: 'none' }}>
            {from !== null && <span style={visuallyHidden}>{t('to')} </span>}
            <Value record={record} field={change.field} value={to} />
            {to !== null && unit}
          </ins>
        </>
      )}
    </Box>
  )
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

/** Changes of each field of an entry. */
export function FieldChanges({ entry }: { entry: Pick<AuditEntry, 'changes'> & { record: string } }) {
  const { t } = useTranslation('audit')
  const [all, setAll] = useState(false)
  const changes = joinPrices(entry.changes).filter(
    ({ field, from, to }) =>
      !isInternal(field) &&
      !(holdsNothing(entry.record, field, from) && holdsNothing(entry.record, field, to)) &&
      !(isEmptyList(from) && isEmptyList(to)),
  )
  if (changes.length === 0) return null
  const more = changes.length - MAX_FIELDS
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', '& del': { color: 'text.secondary' } }}>
        {(all ? changes : changes.slice(0, MAX_FIELDS)).map((change) => (
          <Line key={`${change.field} ${change.of?.id ?? ''}`} record={entry.record} change={change} />
        ))}
      </Box>
      {more > 0 && !all && (
        <Button size="small" onClick={withoutBubbling(() => setAll(true))} sx={{ ml: -0.75 }}>
          {t('more', { count: more })}
        </Button>
      )}
    </>
  )
}
