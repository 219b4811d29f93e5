import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Check, CircleX, SquarePen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { HeldPrice } from '~/api/schema'
import { correctableSides } from './correction'
import { useDecide } from './use-decide'

/** Buttons that release, refuse or correct the prices of a row. */
export function DecideButtons({ row, onCorrect }: { row: HeldPrice; onCorrect: (row: HeldPrice) => void }) {
  const { t } = useTranslation('heldPrices')
  const decide = useDecide()
  const labelOf = (action: string) => t('decideOf', { action, stock: row.stock })
  const release = t('decide.release.action')
  const refuse = t('decide.refuse.action')
  return (
    // keeps the click from the row, which would open the stock
    <Box sx={{ display: 'grid', justifyItems: 'start', gap: 0.5, ml: -0.75 }} onClick={(event) => event.stopPropagation()}>
      <Button
        size="small"
        startIcon={<Check size={16} aria-hidden />}
        aria-label={labelOf(release)}
        onClick={() => void decide(row, 'release')}
      >
        {release}
      </Button>
      {correctableSides(row).length > 0 && (
        <Button
          size="small"
          startIcon={<SquarePen size={16} aria-hidden />}
          aria-label={labelOf(t('correct.action'))}
          onClick={() => onCorrect(row)}
        >
          {t('correct.action')}
        </Button>
      )}
      <Button
        size="small"
        color="error"
        startIcon={<CircleX size={16} aria-hidden />}
        aria-label={labelOf(refuse)}
        onClick={() => void decide(row, 'refuse')}
      >
        {refuse}
      </Button>
    </Box>
  )
}
