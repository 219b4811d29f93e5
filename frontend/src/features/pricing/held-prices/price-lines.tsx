import Box from '@mui/material/Box'
import { ArrowRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { HeldPrice, Money } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { useFormat } from '~/i18n/use-format'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { type PriceChange, priceChanges } from './price-changes'

interface Props {
  before: HeldPrice['wanted']
  after: HeldPrice['wanted']
  /** True if the previous price is shown elsewhere. */
  afterOnly?: boolean
}

/** Lines such as "Extern: 85,00 € / 100 kg → 850,00 € / 100 kg", one for each price that differs. */
export function PriceLines({ before, after, afterOnly = false }: Props) {
  const { t } = useTranslation('heldPrices')
  const { decimal } = useFormat()
  const symbol = useUnitSymbols()
  const text = useMoneyText()
  const quantity = ({ quantity, unit }: NonNullable<PriceChange['from']>) =>
    unit ? `${decimal(quantity)}\u00a0${symbol(unit)}` : decimal(quantity)
  const renderPrice = (money: Money | null) => (
    <Box component="span" dir="auto" sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      {money ? text(money) : t('noPrice')}
    </Box>
  )
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {priceChanges(before, after).map((change) => {
        const side = t(`sides.${change.side}`)
        return (
          <li key={`${change.side} ${change.from && quantity(change.from)}`}>
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {change.from === null ? side : t('from', { side, quantity: quantity(change.from) })}:
            </Box>{' '}
            {!afterOnly && (
              <>
                <span style={visuallyHidden}>{t('before')}</span> {renderPrice(change.before)}{' '}
                <ArrowRight size="1em" aria-hidden style={{ verticalAlign: '-0.125em' }} /> <span style={visuallyHidden}>
                  {t('after')}
                </span>{' '}
              </>
            )}
            <strong>{renderPrice(change.after)}</strong>
          </li>
        )
      })}
    </Box>
  )
}

/**
 * Prices that other users have proposed for the same stock; a decision about the row does not affect them.
 */
export function OtherPrices({ row }: { row: HeldPrice }) {
  const { t } = useTranslation('heldPrices')
  if (row.others.length === 0) return null
  return (
    <Box sx={{ mt: 1, typography: 'body2' }}>
      {row.others.map(({ id, by, wanted }) => (
        <Box key={id}>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {t('other', { name: by?.name ?? t('unknown') })}
          </Box>
          <PriceLines before={row.current} after={wanted} afterOnly />
        </Box>
      ))}
    </Box>
  )
}
