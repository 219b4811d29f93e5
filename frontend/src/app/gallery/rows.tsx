import Box from '@mui/material/Box'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SortableList } from '~/kit/form/sortable-list'
import type { SheetRows } from '~/kit/sheet/cells'
import { decimalColumn, textColumn } from '~/kit/sheet/column'
import { Spreadsheet } from '~/kit/sheet/spreadsheet'
import { useSpreadsheet } from '~/kit/sheet/use-spreadsheet'
import { Card } from '~/kit/ui/card'

interface Profile {
  id: number
  name: string
  weight: string
}

const PROFILES: readonly Profile[] = [
  { id: 1, name: 'HEB 200', weight: '61.3' },
  { id: 2, name: 'IPE 240', weight: '30.7' },
  { id: 3, name: 'UPN 160', weight: '18.8' },
]
const ROWS: SheetRows<Profile> = { count: PROFILES.length, at: (index) => PROFILES[index], key: ({ id }) => id }

/** Reorderable rows, and editable cells. */
export function GalleryRows() {
  const { t } = useTranslation('gallery')
  const [order, setOrder] = useState(PROFILES)
  const sheet = useSpreadsheet(
    useMemo(
      () => [
        textColumn<Profile>({ id: 'name', header: t('fields.name'), width: 160, value: ({ name }) => name }),
        decimalColumn<Profile>({ id: 'weight', header: t('fields.amount'), width: 120, value: ({ weight }) => weight }),
      ],
      [t],
    ),
    ROWS,
  )
  function move(from: number, to: number) {
    const row = order[from]
    if (row) setOrder(order.filter((_, at) => at !== from).toSpliced(to, 0, row))
  }
  return (
    <>
      <Card title={t('sections.order')}>
        <Box sx={{ mt: 2 }}>
          <SortableList items={order} id={({ id }) => id} name={({ name }) => name} onMove={move} />
        </Box>
      </Card>
      <Card title={t('sections.sheet')}>
        <Box sx={{ mt: 2, height: 260, display: 'flex', flexDirection: 'column', minWidth: 0 }}>
          <Spreadsheet sheet={sheet} label={t('sections.sheet')} />
        </Box>
      </Card>
    </>
  )
}
