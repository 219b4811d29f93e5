import Box from '@mui/material/Box'
import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { QuoteExplanation, QuoteItem, QuoteLineExplanation, QuoteStep } from '~/api/schema'
import { RecordLink } from '~/features/shared/record-link'
import { useFormat } from '~/i18n/use-format'
import { formatDateTime } from '~/lib/dates'
import { useConfig } from '~/session/config'
import { isApplied } from './bars'
import { Conditions } from './conditions'
import { TableValue } from './table-value'

const LIST = { m: 0, p: 0, listStyle: 'none', typography: 'body2', '& > li': { py: 0.375, overflowWrap: 'anywhere' } }

/** Lists and stocks that were searched for a price, with the result of each. */
export function Sources({ explanation: { lists, stocks } }: { explanation: QuoteLineExplanation }) {
  const { t } = useTranslation('whyPrice')
  const { lang } = useFormat()
  // same time zone as all times of a calculation
  const { time_zone } = useConfig()
  if (lists.length + stocks.length === 0) return t('sources.none')
  return (
    <Box component="ol" sx={LIST}>
      {lists.map(({ id, name, applies, valid_from, outcome }) => (
        <Entry
          key={`list ${id}`}
          isChosen={outcome === 'won'}
          label={valid_from ? <RecordLink record="price_list" id={id} name={name} /> : name}
        >
          {t(`sources.list.${outcome}`)}{' '}
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {/* for a list that the customer does not see yet only the name is available */}
            {valid_from && t(`sources.applies.${applies}`, { from: formatDateTime(valid_from, lang, time_zone) })}
          </Box>
        </Entry>
      ))}
      {stocks.map(({ id, outcome }) => (
        <Entry key={`stock ${id}`} isChosen={outcome === 'won'} label={<RecordLink record="stock" id={id} />}>
          {t(`sources.stock.${outcome}`)}
        </Entry>
      ))}
    </Box>
  )
}

function Entry({ isChosen = false, label, children }: { isChosen?: boolean; label: ReactNode; children: ReactNode }) {
  const Icon = isChosen ? Check : Minus
  return (
    <li>
      <Box component="span" sx={{ color: isChosen ? 'success.main' : 'text.secondary', mr: 1, '& svg': { verticalAlign: '-2px' } }}>
        <Icon size={14} aria-hidden />
      </Box>
      <Box component="span" sx={{ fontWeight: isChosen ? 600 : 400 }}>
        {label}
      </Box>
      {': '}
      {children}
    </li>
  )
}

interface NotApplied {
  key: string
  step: QuoteStep
}

/** Adjustments that were not applied to an item; one that is for none of the items is listed once. */
function notApplied(items: readonly QuoteItem[]): NotApplied[] {
  const steps = items.flatMap(({ explanation }, place) =>
    (explanation?.steps ?? []).map((step) => ({ key: `${place} ${step.adjustment_id}`, step })),
  )
  return steps.filter(({ step }, at) => {
    if (step.outcome !== 'not_this_item') return !isApplied(step)
    const sameAdjustment = steps.filter((other) => other.step.adjustment_id === step.adjustment_id)
    return sameAdjustment.every((other) => other.step.outcome === 'not_this_item') && sameAdjustment[0] === steps[at]
  })
}

/** Adjustments and lists that were not applied, with reasons; collapsed, because there may be many. */
export function LeftOut({ items, cart }: { items: readonly QuoteItem[]; cart: QuoteExplanation | null }) {
  const { t } = useTranslation('whyPrice')
  const steps = notApplied(items)
  const lists = cart?.lists ?? []
  const adjustments = cart?.adjustments ?? []
  const count = steps.length + lists.length + adjustments.length
  if (count === 0) return null
  return (
    <Box component="details" sx={{ '& summary': { cursor: 'pointer', typography: 'subtitle2', mb: 0.5 } }}>
      <summary>{t('leftOut.title', { count })}</summary>
      <Box component="ul" sx={LIST}>
        {steps.map(({ step, key }) => (
          <Entry key={`step ${key}`} label={<RecordLink record="price_adjustment" id={step.adjustment_id} name={step.name} />}>
            {step.outcome === 'no_table_value' && step.surcharge ? (
              <TableValue surcharge={step.surcharge} missing />
            ) : (
              t(`leftOut.step.${step.outcome as 'conditions'}`)
            )}
            {step.outcome === 'conditions' && step.conditions && <Conditions condition={step.conditions} />}
          </Entry>
        ))}
        {lists.map(({ id, name, reason }) => (
          <Entry key={`list ${id}`} label={<RecordLink record="price_list" id={id} name={name} />}>
            {t(`leftOut.list.${reason}`)}
          </Entry>
        ))}
        {adjustments.map(({ id, name, reason }) => (
          <Entry key={`adjustment ${id}`} label={<RecordLink record="price_adjustment" id={id} name={name} />}>
            {t(`leftOut.adjustment.${reason}`)}
          </Entry>
        ))}
      </Box>
    </Box>
  )
}
