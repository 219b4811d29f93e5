import TableCell from '@mui/material/TableCell'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { Check, CircleX, Clock, Loader } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StateChip, type StateLook } from '~/kit/ui/state-chip'
import { NarrowFacts, TableCard, WideFacts } from '~/kit/ui/table-card'

const LOOK = {
  alive: { color: 'success', icon: Check },
  silent: { color: 'warning', icon: Clock },
  waiting: { color: 'default', icon: Check },
  running: { color: 'info', icon: Loader },
  failing: { color: 'error', icon: CircleX },
  failed: { color: 'warning', icon: CircleX },
} as const satisfies Record<string, StateLook>

/** A process, a queue or a job. */
export interface Item {
  id: string
  name: string
  state: keyof typeof LOOK
  /** Reason for a state that is not good. */
  failure?: string | null
  /** Values of the columns after the name, in the order of `heads`. */
  facts: readonly string[]
}

/** Query that the items are loaded with. */
export type ItemsQuery = Parameters<typeof TableCard>[0]['query']

interface Props {
  title: string
  /** Headers of the name and of the facts. */
  heads: readonly [string, ...string[]]
  items: readonly Item[] | undefined
  query: ItemsQuery
  /** Text that is shown while there are no items. */
  none?: string
}

/** Table of items with their states and facts. */
export function StateTable({ title, heads, items, query, none }: Props) {
  const { t } = useTranslation('operation')
  return (
    <TableCard
      title={title}
      heads={[t('state'), ...heads]}
      rows={items}
      query={query}
      empty={
        none && (
          <Typography variant="body2" color="textSecondary">
            {none}
          </Typography>
        )
      }
    >
      {(rows) => rows.map((item) => <StateRow key={item.id} item={item} heads={heads.slice(1)} />)}
    </TableCard>
  )
}

function StateRow({ item: { state, name, failure, facts: texts }, heads }: { item: Item; heads: readonly string[] }) {
  const { t } = useTranslation('operation')
  const facts = heads.map((head, at) => [head, texts[at] ?? ''] as const)
  return (
    <TableRow>
      <TableCell>
        <StateChip look={LOOK[state]} label={t(`states.${state}`)} />
      </TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere' }}>
        {name}
        {failure && (
          <Typography variant="body2" color={state === 'failing' ? 'error' : 'warning'}>
            {failure}
          </Typography>
        )}
        <NarrowFacts facts={facts} />
      </TableCell>
      <WideFacts facts={facts} />
    </TableRow>
  )
}
