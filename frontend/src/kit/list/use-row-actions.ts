import { Eye, SquarePen, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { RowAction } from './row-menu'

interface Options<Row> {
  may: { update: boolean; remove: boolean }
  remove?: (row: Row) => unknown
}

/** Open or edit, and delete: what nearly every row offers, cut down to what the user may do. */
export function useRowActions<Row extends { id: number }>({ may, remove }: Options<Row>): (row: Row) => RowAction[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { search } = useLocation()
  return (row) => [
    {
      label: t(may.update ? 'actions.edit' : 'actions.view'),
      icon: may.update ? SquarePen : Eye,
      onClick: () => void navigate({ pathname: String(row.id), search }),
    },
    ...(may.remove && remove ? [{ label: t('actions.delete'), icon: Trash2, danger: true, onClick: () => void remove(row) }] : []),
  ]
}
