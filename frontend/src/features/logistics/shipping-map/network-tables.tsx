import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import { useNetworkPaths } from '~/features/logistics/shared/use-network-paths'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { formatDuration } from '~/lib/duration'
import type { MapNode, ShippingNetwork } from './network'
import { usePlaceText } from './place-text'

/** Tables with the same content as the map. */
export function NetworkTables({ nodes, legs }: ShippingNetwork) {
  const { t } = useTranslation('shippingMap')
  const { lang } = useFormat()
  const placeText = usePlaceText()
  const { compare } = new Intl.Collator(lang)
  const byName = [...nodes].sort((a, b) => compare(a.name, b.name))
  const sortedLegs = [...legs].sort((a, b) => compare(a.from.name, b.from.name) || compare(a.to.name, b.to.name))
  return (
    <Stack spacing={2}>
      <Card title={t('nodes')}>
        <NetworkTable
          label={t('nodes')}
          heads={[t('heads.name'), t('heads.state'), t('heads.place'), t('heads.warehouse'), t('heads.outgoing'), t('heads.incoming')]}
        >
          {byName.map(({ id, name, state, place, warehouse, outgoing, incoming }) => (
            <TableRow key={id}>
              <TableCell component="th" scope="row">
                <NodeName id={id} name={name} />
              </TableCell>
              <TableCell sx={state === 'unreachable' ? ERROR_CELL : {}}>{t(`state.${state}`)}</TableCell>
              <TableCell>{place ? placeText(place) : t('noPlace')}</TableCell>
              <TableCell>{warehouse}</TableCell>
              <TableCell>{outgoing.map(({ to }) => to.name).join(', ')}</TableCell>
              <TableCell>{incoming.map(({ from }) => from.name).join(', ')}</TableCell>
            </TableRow>
          ))}
        </NetworkTable>
      </Card>
      <Card title={t('legs')}>
        <NetworkTable
          label={t('legs')}
          heads={[t('heads.from'), t('heads.to'), t('heads.state'), t('heads.travel'), t('heads.departures')]}
        >
          {sortedLegs.map(({ id, from, to, state, travelDuration, departuresPerWeek }) => (
            <TableRow key={id}>
              <TableCell component="th" scope="row">
                <NodeName {...from} />
              </TableCell>
              <TableCell>
                <NodeName {...to} />
              </TableCell>
              <TableCell sx={state === 'without_departures' ? ERROR_CELL : {}}>{t(`legend.leg_${state}`)}</TableCell>
              <TableCell sx={NUMBER}>{formatDuration(travelDuration)}</TableCell>
              <TableCell sx={NUMBER}>{departuresPerWeek}</TableCell>
            </TableRow>
          ))}
        </NetworkTable>
      </Card>
    </Stack>
  )
}

const ERROR_CELL = { color: 'error.main', fontWeight: 600 }
const NUMBER = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const

export function NodeName({ id, name }: Pick<MapNode, 'id' | 'name'>) {
  const paths = useNetworkPaths()
  return (
    <Link component={RouterLink} to={paths.node(id)} sx={{ overflowWrap: 'anywhere' }}>
      {name}
    </Link>
  )
}

function NetworkTable({ label, heads, children }: { label: string; heads: readonly string[]; children: ReactNode }) {
  return (
    <TableContainer tabIndex={0} role="group" aria-label={label}>
      <Table size="small" aria-label={label} sx={{ '& td, & th': { verticalAlign: 'top' } }}>
        <TableHead>
          <TableRow>
            {heads.map((head) => (
              <TableCell key={head}>{head}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>{children}</TableBody>
      </Table>
    </TableContainer>
  )
}
