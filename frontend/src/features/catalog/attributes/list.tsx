import Button from '@mui/material/Button'
import { ArrowDownUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { Attribute } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { useAccess } from '~/session/access'
import { attributes } from './api'
import { attribute } from './resource'
import { TypeDetail } from './type-detail'

const col = columns<Attribute>('attributes')
const COLUMNS = [
  col.text('name'),
  col.enum('type'),
  col.custom('detail', (row) => <TypeDetail row={row} />, { sort: '' }),
  col.bool('primary'),
  col.number('position', { optional: true }),
  col.text('placeholder', { card: false }),
  col.instant('updated_at', { card: false }),
]

function OrderButton() {
  const { t } = useTranslation('attributes')
  const { search } = useLocation()
  const may = useAccess('attribute', { platform: true })
  if (!may.update) return null
  return (
    <Button component={Link} to={{ pathname: 'order', search }} variant="outlined" startIcon={<ArrowDownUp size={18} />}>
      {t('actions.order')}
    </Button>
  )
}

export default function AttributeList() {
  return <ResourceList resource={attribute} api={attributes} columns={COLUMNS} actions={<OrderButton />} />
}
