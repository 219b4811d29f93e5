import Button from '@mui/material/Button'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { LEAVING_DELETED } from '~/kit/ui/leaving-deleted'
import { keepTenant } from '~/session/tenant'
import type { RecordPageContext } from './record-page-context'
import { useAllowedOperations } from './resources'
import { useDelete } from './use-delete'

interface Props<Row> extends RecordPageContext<Row> {
  /** True if the record's name has to be retyped. */
  retype?: boolean | undefined
  /** Renders further consequences of the deletion in the confirmation. */
  deletes?: ((row: Row) => ReactNode) | undefined
  /** Called when a deletion starts or fails; the record must not be requested meanwhile. */
  onDeleting: (now: boolean) => void
}

/** Button that deletes a record like its list does, then opens the list. */
export function DeleteButton<Row extends { id: number }>({ resource, api, row, retype, deletes, onDeleting }: Props<Row>) {
  const { t } = useTranslation()
  const may = useAllowedOperations(resource)
  const navigate = useNavigate()
  const { search } = useLocation()
  const remove = useDelete<Row>({
    remove: async (record) => {
      onDeleting(true)
      try {
        return await api.remove?.(record.id, resource.title(record))
      } catch (error) {
        onDeleting(false)
        throw error
      }
    },
    name: resource.title,
    usage: api.usage,
    ...(retype && { retype: resource.title }),
    undoable: !resource.irreversible && may.create,
    detail: deletes,
    leave: () => void navigate({ pathname: resource.path, search: keepTenant(search) }, { replace: true, state: LEAVING_DELETED }),
  })
  if (!may.remove || !api.remove) return null
  return (
    <Button variant="outlined" color="error" startIcon={<Trash2 size={18} />} onClick={() => void remove(row)}>
      {t('actions.delete')}
    </Button>
  )
}
