import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { shippingNodeRef } from '~/features/logistics/shipping-nodes/ref'
import { RefField } from '~/kit/form/ref-field'
import { DurationField, TimeField } from '~/kit/form/time-fields'
import { parseClockTime, parseDuration } from '~/lib/duration'
import { type Durations, departureTimes, PHASES } from './departure-times'
import { DeparturesField } from './departures-field'
import { ExceptionsField } from './exceptions-field'
import { PhaseBar } from './phase-bar'
import type { ShippingLegBody, ShippingLegForm } from './schema'
import { Timetable } from './timetable'

const PAIR = { display: 'grid', gap: 2, gridTemplateColumns: { sm: 'repeat(2, minmax(0, 1fr))' }, alignItems: 'start' } as const

interface Props {
  form: UseFormReturn<ShippingLegForm, unknown, ShippingLegBody>
  /** Content below the nodes, about both directions. */
  directions?: ReactNode
}

export function ShippingLegFields({ form: { control }, directions }: Props) {
  const [sender, receiver] = useWatch({ control, name: ['sending_node_id', 'receiving_node_id'] })
  return (
    <>
      <Box sx={PAIR}>
        <RefField
          control={control}
          name="sending_node_id"
          source={shippingNodeRef}
          required
          excludedIds={receiver === null ? [] : [receiver]}
        />
        <RefField
          control={control}
          name="receiving_node_id"
          source={shippingNodeRef}
          required
          excludedIds={sender === null ? [] : [sender]}
        />
      </Box>
      {directions}
      <Box sx={{ ...PAIR, gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' }}>
        {PHASES.map((phase) => (
          <DurationField key={phase} control={control} name={phase} required />
        ))}
      </Box>
      <TimeField control={control} name="order_time" />
      <LivePhases control={control} />
      <DeparturesField control={control} />
      <LiveTimetable control={control} />
      <ExceptionsField control={control} />
    </>
  )
}

type ControlProps = Pick<Props['form'], 'control'>

/** Durations as typed; `null` while one of them is invalid. */
function useDurations({ control }: ControlProps): Durations | null {
  const typed = useWatch({ control, name: PHASES })
  const minutes = typed.map(parseDuration)
  if (minutes.some((value) => value === null)) return null
  return Object.fromEntries(PHASES.map((phase, at) => [phase, minutes[at] ?? 0])) as Record<(typeof PHASES)[number], number>
}

function LivePhases(props: ControlProps) {
  const durations = useDurations(props)
  return durations && <PhaseBar durations={durations} />
}

function LiveTimetable(props: ControlProps) {
  const { t } = useTranslation('shippingLegs')
  const durations = useDurations(props)
  const [departures, typed] = useWatch({ control: props.control, name: ['departures', 'order_time'] })
  const orderTime = typed === '' || parseClockTime(typed) !== null ? typed || null : undefined
  const readable = departures.filter(({ time }) => parseClockTime(time) !== null)
  if (!durations || orderTime === undefined || readable.length === 0) return null
  return <Timetable label={t('times.label')} times={readable.map((departure) => departureTimes(departure, durations, orderTime))} />
}
