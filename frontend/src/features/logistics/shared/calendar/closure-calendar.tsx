import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { CalendarPlus, ChevronLeft, ChevronRight, CopyPlus } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BusyButton } from '~/kit/ui/busy-button'
import { Card } from '~/kit/ui/card'
import { useErrorText } from '~/kit/ui/error-text'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { notify } from '~/kit/ui/snackbar'
import { Waiting } from '~/kit/ui/waiting'
import { useAddressParams } from '~/lib/address-params'
import { today } from '~/lib/days'
import { nextYearOf } from './closure-schema'
import { type ClosedDay, type FreeDays, marksOf } from './days-off'
import { DaysOffList } from './days-off-list'
import { CalendarLegend } from './legend'
import { type ClosureCalls, useClosures } from './use-closures'
import { YearCalendar } from './year-calendar'

const ClosureDialog = lazyWithTexts(() => import('./closure-dialog'))

/** Years for which the server has public holidays. */
const YEARS = { from: 2000, to: 2099 }

function useYear() {
  const [params, changeParams] = useAddressParams()
  const requestedYear = Number(params.get('year'))
  const year =
    Number.isInteger(requestedYear) && requestedYear >= YEARS.from && requestedYear <= YEARS.to
      ? requestedYear
      : Number(today().slice(0, 4))
  const show = (next: number) => changeParams((after) => after.set('year', String(next)))
  return [year, show] as const
}

interface Props<C extends ClosedDay> {
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  query: (year: number) => UseQueryOptions<any, any, FreeDays<C>, any>
  calls: ClosureCalls<C>
  /** True if the user may close and reopen days. */
  isWritable: boolean
  /** True if closures can also be made for all places. */
  hasScopes?: boolean
}

/** Days off of a year for a place, with actions to close and reopen days. */
export function ClosureCalendar<C extends ClosedDay>({ query, calls, isWritable, hasScopes = false }: Props<C>) {
  const { t } = useTranslation('warehouses')
  const [year, show] = useYear()
  const [pickedDay, setPickedDay] = useState<string | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const { reopen, closeMany } = useClosures(calls)
  const errorText = useErrorText()
  const [copying, setCopying] = useState(false)
  const { data, error, refetch, isFetching } = useQuery({ ...query(year), placeholderData: keepPreviousData })
  if (!data) return error ? <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} /> : <Waiting />

  const marks = marksOf(year, data, {
    rest: t('calendar.rest'),
    holiday: (holiday) => t(`enums.holiday.${holiday}`),
    closed: (name) => t('calendar.closed', { name }),
  })
  const describeDay = (day: string) => (day.startsWith(`${year}-`) ? (marks.get(day)?.text ?? t('calendar.working')) : undefined)
  const isOff = (day: string) => marks.has(day)
  const list = t('calendar.days', { year })

  async function copyToNextYear(closures: readonly C[]) {
    setCopying(true)
    const copies = await closeMany(nextYearOf(closures)).catch((error: unknown) => notify.error(errorText(error)))
    setCopying(false)
    if (copies) show(year + 1)
  }

  return (
    <>
      <Stack direction="row" useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap', gap: 1 }}>
        <IconButton aria-label={t('calendar.previous')} disabled={year === YEARS.from} onClick={() => show(year - 1)}>
          <ChevronLeft size={20} />
        </IconButton>
        <Typography variant="h2" aria-live="polite">
          {year}
        </Typography>
        <IconButton aria-label={t('calendar.next')} disabled={year === YEARS.to} onClick={() => show(year + 1)}>
          <ChevronRight size={20} />
        </IconButton>
        <Typography variant="body2" color="textSecondary" sx={{ flex: 1 }}>
          {t('calendar.region', { region: t(`enums.region.${data.region}`) })}
        </Typography>
        {isWritable && data.closures.length > 0 && year < YEARS.to && (
          <BusyButton
            variant="outlined"
            busy={copying}
            startIcon={<CopyPlus size={18} aria-hidden />}
            onClick={() => void copyToNextYear(data.closures)}
          >
            {t('closures.copy', { year: year + 1 })}
          </BusyButton>
        )}
        {isWritable && (
          <Button ref={add} variant="contained" startIcon={<CalendarPlus size={18} />} onClick={() => setPickedDay(defaultDay(year))}>
            {t('closures.add')}
          </Button>
        )}
      </Stack>
      <Box
        sx={{ display: 'grid', gap: { xs: 3, lg: 4 }, gridTemplateColumns: { lg: 'minmax(0, 3fr) minmax(0, 2fr)' }, alignItems: 'start' }}
      >
        <Box>
          <CalendarLegend
            entries={[
              { tone: 'rest', text: t('calendar.legend.rest') },
              { tone: 'holiday', text: t('calendar.legend.holiday') },
              { tone: 'closed', text: t('calendar.legend.closed') },
            ]}
          />
          <YearCalendar year={year} marks={marks} defaultText={t('calendar.working')} onPick={isWritable ? setPickedDay : undefined} />
        </Box>
        <Box sx={{ order: { xs: -1, lg: 0 }, minWidth: 0 }}>
          <Card title={list}>
            <DaysOffList
              label={list}
              days={data}
              onReopen={
                isWritable
                  ? (closure) => {
                      // the pressed button disappears with its row
                      add.current?.focus()
                      void reopen(closure)
                    }
                  : undefined
              }
            />
          </Card>
        </Box>
      </Box>
      {pickedDay !== null && (
        <Suspense fallback={null}>
          <ClosureDialog
            calls={calls}
            day={pickedDay}
            hasScopes={hasScopes}
            describeDay={describeDay}
            isOff={isOff}
            onClose={() => setPickedDay(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Default day of a new closure: today, or the first day of another year that is shown. */
const defaultDay = (year: number) => (today().startsWith(`${year}-`) ? today() : `${year}-01-01`)
