import Button from '@mui/material/Button'
import { BadgeCheck, Calculator } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import type { SampleCart } from '~/api/schema'
import { useCalculator, useOpenCart } from '~/features/pricing/price-calculator/ref'
import { useEuro } from '~/features/shared/money/use-euro'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { keepTenant } from '~/session/tenant'
import { sampleCarts } from './api'
import { differenceOf } from './difference-of'
import { sampleCart } from './resource'
import { CartState } from './state-chip'
import { isAcceptable, useAcceptTotal } from './use-accept'

function Amount({ amount, signed = false }: { amount: string | null; signed?: boolean }) {
  const euro = useEuro()
  return amount === null ? '\u2013' : euro(amount, { signed })
}

const col = columns<SampleCart>('sampleCarts')
const RIGHT = { align: 'right', sort: '', noWrap: true } as const satisfies Parameters<typeof col.custom>[2]
const COLUMNS = [
  col.text('name'),
  col.custom('state', (row) => <CartState state={row.state} />, { sort: '' }),
  col.custom('expected_total', (row) => <Amount amount={row.expected_total} />, { ...RIGHT, card: false }),
  col.custom('total', (row) => <Amount amount={row.total} />, RIGHT),
  col.custom(
    'difference',
    (row) => isAcceptable(row) && row.expected_total !== null && <Amount amount={differenceOf(row.total, row.expected_total)} signed />,
    { ...RIGHT, card: false },
  ),
  col.custom('buyer', (row) => row.buyer?.company, { sort: '', card: false }),
  col.custom('lines', (row) => row.lines.length, { align: 'right', sort: '', card: false }),
  col.instant('updated_at', { card: false }),
]

export default function SampleCartList() {
  const { t } = useTranslation('sampleCarts')
  const accept = useAcceptTotal()
  const open = useOpenCart()
  const calculator = useCalculator()
  const navigate = useNavigate()
  const { search } = useLocation()
  return (
    <ResourceList
      resource={sampleCart}
      api={sampleCarts}
      columns={COLUMNS}
      creatable={false}
      rowActions={(row) => [
        ...(open ? [{ label: t('actions.open'), icon: Calculator, onClick: () => void navigate(open(row)) }] : []),
        ...(accept && isAcceptable(row) ? [{ label: t('accept.action'), icon: BadgeCheck, onClick: () => void accept(row) }] : []),
      ]}
      actions={
        calculator && (
          <Button
            variant="contained"
            component={Link}
            to={{ pathname: calculator, search: keepTenant(search) }}
            startIcon={<Calculator size={18} aria-hidden />}
          >
            {t('actions.new')}
          </Button>
        )
      }
    />
  )
}
