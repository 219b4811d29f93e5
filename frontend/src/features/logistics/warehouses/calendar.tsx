import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarPlus, ChevronLeft, ChevronRight } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { Warehouse } from '~/api/schema'
import { Legend } from '~/features/logistics/shared/calendar/legend'
import { YearCalendar } from '~/features/logistics/shared/calendar/year-calendar'
import { useRecord } from '~/kit/records/record'
import { useMay } from '~/kit/records/resources'
import { Card } from '~/kit/ui/card'
import { later } from '~/kit/ui/later'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { today } from '~/lib/days'
import { warehouses } from './api'
import { marksOf } from './days-off'
import { DaysOffList } from './days-off-list'
import { warehouse } from './resource'
import { useClosures } from './use-closures'

const ClosureDialog = later(() => import('./closure-dialog'))

/** Of which the server tells holidays. */
const YEARS = { from: 2000, to: 2099 }

function useYear() {
  const [params, setParams] = useSearchParams()
  const asked = Number(params.get('year'))
  const year = Number.isInteger(asked) && asked >= YEARS.from && asked <= YEARS.to ? asked : Number(today().slice(0, 4))
  const show = (next: number) =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      after.set('year', String(next))
      return after
    })
  return [year, show] as const
}

/** When nobody works there; days are closed and opened again right here. */
export default function WarehouseCalendar() {
  const { t } = useTranslation('warehouses')
  const { row } = useRecord<Warehouse>()
  const may = useMay(warehouse)
  const [year, show] = useYear()
  const [picked, pick] = useState<string | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const { reopen } = useClosures()
  const { data, error, refetch, isFetching } = useQuery({ ...warehouses.calendar(row.id, year), placeholderData: keepPreviousData })
  if (!data) return error ? <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} /> : <Waiting />

  const marks = marksOf(year, data, {
    rest: t('calendar.rest'),
    holiday: (holiday) => t(`enums.holiday.${holiday}`),
    closed: (name) => t('calendar.closed', { name }),
  })
  const about = (day: string) => (day.startsWith(`${year}-`) ? (marks.get(day)?.text ?? t('calendar.working')) : undefined)
  const list = t('calendar.days', { year })
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
        {may.update && (
          <Button ref={add} variant="contained" startIcon={<CalendarPlus size={18} />} onClick={() => pick(defaultDay(year))}>
            {t('closures.add')}
          </Button>
        )}
      </Stack>
      <Box
        sx={{ display: 'grid', gap: { xs: 3, lg: 4 }, gridTemplateColumns: { lg: 'minmax(0, 3fr) minmax(0, 2fr)' }, alignItems: 'start' }}
      >
        <Box>
          <Legend
            entries={[
              { tone: 'rest', text: t('calendar.legend.rest') },
              { tone: 'holiday', text: t('calendar.legend.holiday') },
              { tone: 'closed', text: t('calendar.legend.closed') },
            ]}
          />
          <YearCalendar year={year} marks={marks} plain={t('calendar.working')} onPick={may.update ? pick : undefined} />
        </Box>
        <Box sx={{ order: { xs: -1, lg: 0 }, minWidth: 0 }}>
          <Card title={list}>
            <DaysOffList
              label={list}
              days={data}
              onReopen={
                may.update
                  ? (closure) => {
                      // the button that was pressed goes with its row
                      add.current?.focus()
                      void reopen(closure)
                    }
                  : undefined
              }
            />
          </Card>
        </Box>
      </Box>
      {picked !== null && (
        <Suspense fallback={null}>
          <ClosureDialog warehouse={row.id} day={picked} about={about} onClose={() => pick(null)} />
        </Suspense>
      )}
    </>
  )
}

/** In the year that is shown. */
const defaultDay = (year: number) => (today().startsWith(`${year}-`) ? today() : `${year}-01-01`)
