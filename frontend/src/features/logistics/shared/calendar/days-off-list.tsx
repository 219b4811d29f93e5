import IconButton from '@mui/material/IconButton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import type { ClosedDay, FreeDays } from './days-off'
import { useClosureWords } from './use-closures'

interface Props<C extends ClosedDay> {
  label: string
  days: FreeDays<C>
  /** Reopens a closure; undefined if the list is read-only. */
  onReopen: ((closure: C) => void) | undefined
}

/** Public holidays and closures of a year, by day. */
export function DaysOffList<C extends ClosedDay>({ label, days, onReopen }: Props<C>) {
  const { t } = useTranslation(['warehouses', 'common'])
  const format = useFormat()
  const words = useClosureWords()
  const rows = [
    ...days.public_holidays.map(({ date, holiday }) => ({ date, name: t(`enums.holiday.${holiday}`), closure: null })),
    ...days.closures.map((closure) => ({ date: closure.date, name: closure.name, closure })),
  ].sort((a, b) => (a.date < b.date ? -1 : 1))
  if (rows.length === 0) return <Typography color="textSecondary">{t('calendar.none')}</Typography>
  return (
    <Table size="small" aria-label={label} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
      <TableHead>
        <TableRow>
          <TableCell>{t('calendar.day')}</TableCell>
          <TableCell>{t('calendar.reason')}</TableCell>
          {onReopen && (
            <TableCell>
              <span style={visuallyHidden}>{t('common:list.actions')}</span>
            </TableCell>
          )}
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map(({ date, name, closure }) => (
          <TableRow key={closure ? closure.id : date}>
            <TableCell sx={{ whiteSpace: 'nowrap' }}>{format.weekdayDate(`${date}T00:00:00`)}</TableCell>
            <TableCell sx={{ overflowWrap: 'break-word' }}>
              {name}
              <Typography variant="caption" component="div" color="textSecondary">
                {t(`calendar.kind.${closure === null ? 'holiday' : closure.warehouse_id === null ? 'all' : 'one'}`)}
              </Typography>
            </TableCell>
            {onReopen && (
              <TableCell sx={{ width: 44, textAlign: 'end' }}>
                {closure && (
                  <Tooltip title={t('closures.remove', words(closure))}>
                    <IconButton size="small" aria-label={t('closures.remove', words(closure))} onClick={() => onReopen(closure)}>
                      <Trash2 size={16} />
                    </IconButton>
                  </Tooltip>
                )}
              </TableCell>
            )}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}
