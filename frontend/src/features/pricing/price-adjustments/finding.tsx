import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { Calculator } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { PriceAdjustmentFinding, PriceAdjustmentFindingCart } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useOpenCart } from '~/features/pricing/price-calculator/ref'
import { useEuro } from '~/features/shared/money/use-euro'
import { useFormat } from '~/i18n/use-format'
import { useConfig } from '~/session/config'
import { keepTenant, useTenant } from '~/session/tenant'
import { priceAdjustment } from './resource'

/** Maximum number of lines of a cart that are listed by name. */
const MAX_LINES = 3

interface Props {
  finding: PriceAdjustmentFinding
  /** Called when a link of the finding is opened. */
  onLeave: () => void
}

/** Finding in the server's words, with links to the adjustments and to a cart that shows it. */
export function Finding({ finding, onLeave }: Props) {
  const { t } = useTranslation('priceAdjustments')
  const { search } = useLocation()
  const { tenantId } = useTenant()
  const open = useOpenCart()
  const { kind, adjustment, others, message, cart } = finding
  const lines = cart?.lines.map((line) => ({ ...line, article_id: line.article.id })) ?? []
  return (
    <Box component="li" sx={{ border: 1, borderColor: 'divider', borderRadius: 1, px: 2, py: 1.5, display: 'grid', gap: 0.75 }}>
      <Box sx={{ overflowWrap: 'anywhere' }}>{message}</Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, typography: 'body2' }}>
        {[adjustment, ...others].map(({ id, name, position }) => (
          <Link
            key={id}
            component={RouterLink}
            to={{ pathname: `${priceAdjustment.path}/${id}`, search: keepTenant(search) }}
            onClick={onLeave}
            sx={{ overflowWrap: 'anywhere' }}
          >
            {`${position}. ${name}`}
          </Link>
        ))}
      </Box>
      {cart && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
          <Box sx={{ flex: '1 1 240px', minWidth: 0, typography: 'body2', color: 'text.secondary', overflowWrap: 'anywhere' }}>
            <Cart cart={cart} kind={kind} />
          </Box>
          {open && tenantId !== null && (
            <Button
              size="small"
              component={RouterLink}
              to={open({ id: cart.sample_cart?.id ?? null, tenant: { id: tenantId }, buyer: cart.buyer, at: cart.at, lines })}
              startIcon={<Calculator size={16} aria-hidden />}
              aria-label={t('findings.showing', { name: adjustment.name })}
            >
              {t('findings.show')}
            </Button>
          )}
        </Box>
      )}
    </Box>
  )
}

/** Kinds of findings that no cart can show. */
const WITHOUT_CART = ['never_applies', 'expired', 'lacks_values', 'empty_category'] as const
type Kind = PriceAdjustmentFinding['kind']
const hasCart = (kind: Kind): kind is Exclude<Kind, (typeof WITHOUT_CART)[number]> => !(WITHOUT_CART as readonly Kind[]).includes(kind)

function Cart({ cart, kind }: { cart: PriceAdjustmentFindingCart; kind: PriceAdjustmentFinding['kind'] }) {
  const { t } = useTranslation('priceAdjustments')
  const { decimal, weekdayTime } = useFormat()
  const { time_zone } = useConfig()
  const symbol = useUnitSymbols()
  const euro = useEuro()
  const lineTexts = cart.lines
    .slice(0, MAX_LINES)
    .map(({ article, quantity, unit }) => `${decimal(quantity)}\u00a0${symbol(unit)} ${article.article_number}`)
  const parts = [
    cart.sample_cart
      ? t('findings.cart.sample', { name: cart.sample_cart.name })
      : t('findings.cart.made', { lines: [...lineTexts, ...(cart.lines.length > MAX_LINES ? ['\u2026'] : [])].join(', ') }),
    ...(cart.buyer ? [t('findings.cart.buyer', { buyer: cart.buyer.company })] : []),
    weekdayTime(cart.at, time_zone),
  ]
  const totals = { total: euro(cart.total), otherwise: euro(cart.otherwise) }
  return (
    <>
      {parts.join(' · ')}
      <br />
      {hasCart(kind) && t(`findings.totals.${kind}`, totals)}
    </>
  )
}
