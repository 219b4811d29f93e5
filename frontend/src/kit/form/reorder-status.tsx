import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { keyframes, styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reordering } from './use-reorder'

const shrink = keyframes({ from: { transform: 'scaleX(1)' }, to: { transform: 'scaleX(0)' } })
const Countdown = styled('div')({ height: 3, transformOrigin: 'left', backgroundColor: 'var(--mui-palette-primary-main)' })

const Line = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 8 })

interface Props extends Omit<Reordering<never>, 'ordered' | 'move' | 'pendingOrder' | 'stopTimer' | 'save'> {
  /** Order on screen; a new order restarts the countdown. */
  ids: readonly number[]
  /** Effect of the order. */
  description?: ReactNode
  /** Further action that is possible before the order is saved. */
  tool?: ReactNode
}

/** State of an order that saves itself, with buttons to cancel or undo it. */
export function ReorderStatus({ ids, description, tool, phase, cancel, undo, takeMine, takeTheirs, delay }: Props) {
  const { t } = useTranslation(['common', 'reorder'])
  return (
    <>
      {(phase === 'waiting' || phase === 'paused') && (
        <Box>
          <Line>
            <Typography variant="body2">
              {t(phase === 'paused' ? 'reorder:held' : 'reorder:waiting')}
              {description}
            </Typography>
            <Box sx={{ display: 'flex', gap: 1 }}>
              {tool}
              <Button size="small" variant="outlined" onClick={cancel}>
                {t('actions.cancel')}
              </Button>
            </Box>
          </Line>
          {phase === 'waiting' && <Countdown key={ids.join()} sx={{ animation: `${shrink} ${delay}ms linear forwards` }} aria-hidden />}
        </Box>
      )}
      {phase === 'saved' && (
        <Line>
          <Typography variant="body2">
            {t('reorder:saved')}
            {description}
          </Typography>
          <Button size="small" variant="outlined" onClick={undo}>
            {t('actions.undo')}
          </Button>
        </Line>
      )}
      {phase === 'saving' && <Typography variant="body2">{t('reorder:saving')}</Typography>}
      {phase === 'conflict' && (
        <Line>
          <Typography variant="body2">{t('reorder:conflict')}</Typography>
          <Box sx={{ display: 'flex', gap: 1 }}>
            <Button size="small" variant="outlined" onClick={takeTheirs}>
              {t('reorder:takeTheirs')}
            </Button>
            <Button size="small" variant="contained" onClick={takeMine}>
              {t('reorder:takeMine')}
            </Button>
          </Box>
        </Line>
      )}
    </>
  )
}
