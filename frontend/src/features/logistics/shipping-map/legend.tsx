import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import { LegLine, NodeMarker } from './markers'

const NODES = [
  { key: 'reachable', state: 'reachable', hasWarehouse: false },
  { key: 'warehouse', state: 'reachable', hasWarehouse: true },
  { key: 'unreachable', state: 'unreachable', hasWarehouse: false },
  { key: 'inactive', state: 'inactive', hasWarehouse: false },
] as const
const LEGS = ['running', 'without_departures', 'inactive'] as const

/** Legend of the map. */
export function MapLegend() {
  const { t } = useTranslation('shippingMap')
  return (
    <Box
      component="ul"
      aria-label={t('legend.title')}
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2.5, rowGap: 0.75, m: 0, mt: 1.5, p: 0, listStyle: 'none', typography: 'body2' }}
    >
      {NODES.map(({ key, state, hasWarehouse }) => (
        <Entry key={key} text={t(`legend.${key}`)} width={20}>
          <g transform="translate(10 10)">
            <NodeMarker state={state} hasWarehouse={hasWarehouse} />
          </g>
        </Entry>
      ))}
      {LEGS.map((state) => (
        <Entry key={state} text={t(`legend.leg_${state}`)} width={44}>
          <LegLine from={{ x: 2, y: 8 }} to={{ x: 42, y: 8 }} state={state} />
        </Entry>
      ))}
    </Box>
  )
}

const Entry = ({ text, width, children }: { text: string; width: number; children: React.ReactNode }) => (
  <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
    <svg width={width} height={20} aria-hidden>
      {children}
    </svg>
    {text}
  </Box>
)
