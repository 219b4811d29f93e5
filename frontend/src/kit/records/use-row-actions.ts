import { CopyPlus, Eye, History, SquarePen, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { AuditRecord } from '~/api/schema'
import type { RowAction } from '~/kit/ui/row-menu'
import { copyTo } from './copy-of'
import { linkToHistory } from './link'

interface Options<Row> {
  may: { create: boolean; update: boolean; remove: boolean }
  /** Rows can be made from others. */
  copyable?: boolean | undefined
  remove?: (row: Row) => unknown
  /** Rows that may be seen but not changed are told apart. */
  writable?: ((row: Row) => boolean) | undefined
  /** Rows of those that may not be deleted all the same are told apart. */
  deletable?: ((row: Row) => boolean) | undefined
  /** Rows that may be deleted, and what that is called; otherwise those that may be changed. */
  removal?: { allowed: (row: Row) => boolean; action: string } | undefined
  /** Between opening and deleting. */
  more?: ((row: Row) => RowAction[]) | undefined
  /** What the history calls such a row, if it can be looked at. */
  record?: AuditRecord | null | undefined
}

/** Open or edit, and delete: what nearly every row offers, cut down to what the user may do. */
export function useRowActions<Row extends { id: number }>({
  may,
  copyable,
  remove,
  writable,
  deletable,
  removal,
  more,
  record,
}: Options<Row>): (row: Row) => RowAction[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { search } = useLocation()
  return (row) => {
    const open = writable?.(row) ?? true
    const edit = may.update && open
    return [
      {
        label: t(edit ? 'actions.edit' : 'actions.view'),
        icon: edit ? SquarePen : Eye,
        onClick: () => void navigate({ pathname: String(row.id), search }),
      },
      ...(copyable && may.create
        ? [{ label: t('actions.duplicate'), icon: CopyPlus, onClick: () => void navigate(copyTo(row.id, search)) }]
        : []),
      ...(more?.(row) ?? []),
      ...(record ? [{ label: t('actions.history'), icon: History, onClick: () => void navigate(linkToHistory(record, row.id)) }] : []),
      ...(may.remove && (removal?.allowed(row) ?? (open && (deletable?.(row) ?? true))) && remove
        ? [{ label: removal?.action ?? t('actions.delete'), icon: Trash2, danger: true, onClick: () => void remove(row) }]
        : []),
    ]
  }
}
