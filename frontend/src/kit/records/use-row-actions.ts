import { CopyPlus, Eye, History, SquarePen, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { AuditRecord } from '~/api/schema'
import type { RowAction } from '~/kit/ui/row-menu'
import { copyAddress } from './copy-address'
import { linkToHistory } from './link'

interface Options<Row> {
  may: { create: boolean; update: boolean; remove: boolean }
  /** True if rows can be copied. */
  copyable?: boolean | undefined
  remove?: (row: Row) => unknown
  /** True if the row can be changed; others can only be viewed. */
  writable?: ((row: Row) => boolean) | undefined
  /** True if the row can be deleted, besides being changeable. */
  deletable?: ((row: Row) => boolean) | undefined
  /** Rows that allow a removal, with its label; by default all rows that can be changed. */
  removal?: { allowed: (row: Row) => boolean; action: string } | undefined
  /** Further actions, between opening and deleting. */
  moreActions?: ((row: Row) => RowAction[]) | undefined
  /** Record type in the history, if the history may be seen. */
  record?: AuditRecord | null | undefined
}

/** Returns the actions of a row, such as edit and delete, limited to the user's permissions. */
export function useRowActions<Row extends { id: number }>({
  may,
  copyable,
  remove,
  writable,
  deletable,
  removal,
  moreActions,
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
        ? [{ label: t('actions.duplicate'), icon: CopyPlus, onClick: () => void navigate(copyAddress(row.id, search)) }]
        : []),
      ...(moreActions?.(row) ?? []),
      ...(record ? [{ label: t('actions.history'), icon: History, onClick: () => void navigate(linkToHistory(record, row.id)) }] : []),
      ...(may.remove && (removal?.allowed(row) ?? (open && (deletable?.(row) ?? true))) && remove
        ? [{ label: removal?.action ?? t('actions.delete'), icon: Trash2, danger: true, onClick: () => void remove(row) }]
        : []),
    ]
  }
}
