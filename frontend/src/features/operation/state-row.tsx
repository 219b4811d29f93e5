import Chip from '@mui/material/Chip'
import TableCell from '@mui/material/TableCell'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { Check, CircleX, Clock, Loader, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Fact, NarrowFacts, WideFacts } from '~/kit/ui/table-card'

/** The rows of a part of the page, and the call that they come from. */
export interface Part<Row> {
  rows: readonly Row[] | undefined
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
}

/** Colour by meaning, and never colour alone. */
const LOOK = {
  alive: { color: 'success', icon: Check },
  silent: { color: 'warning', icon: Clock },
  waiting: { color: 'default', icon: Check },
  running: { color: 'info', icon: Loader },
  failing: { color: 'error', icon: CircleX },
  failed: { color: 'warning', icon: CircleX },
} as const satisfies Record<string, { color: 'success' | 'warning' | 'default' | 'info' | 'error'; icon: LucideIcon }>

interface Props {
  state: keyof typeof LOOK
  name: string
  /** The reason for a state that is not good. */
  failure: string | null
  facts: readonly Fact[]
}

/** The state of a process, a queue or a job, and facts about it. */
export function StateRow({ state, name, failure, facts }: Props) {
  const { t } = useTranslation('operation')
  const { color, icon: Icon } = LOOK[state]
  return (
    <TableRow>
      <TableCell>
        <Chip size="small" variant="outlined" color={color} icon={<Icon size={14} />} label={t(`states.${state}`)} sx={{ pl: 0.5 }} />
      </TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere' }}>
        {name}
        {failure && (
          <Typography variant="body2" color={color === 'error' ? 'error' : 'warning.main'}>
            {failure}
          </Typography>
        )}
        <NarrowFacts facts={facts} />
      </TableCell>
      <WideFacts facts={facts} />
    </TableRow>
  )
}

/** The name of a queue or a job in the reader's language. */
export function useNamesOf(texts: 'queues.names' | 'jobs.names'): (name: string) => string {
  const { t } = useTranslation('operation')
  const names: Readonly<Record<string, string>> = t(texts, { returnObjects: true })
  return (name) => names[name] ?? name
}
