import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Permission, Role } from '~/api/schema'
import { FieldShell } from '~/kit/form/field-shell'
import { NativeSelect } from '~/kit/ui/native-select'
import { useRights } from '~/session/me'
import { TASKS, type Task, tasks } from './tasks'

/** Roles and permissions of a task; `permissions` is null for no restriction. */
export interface TaskRights {
  roles: number[]
  permissions: Permission[] | null
}

interface Props {
  roles: readonly Role[]
  onPick: (rights: TaskRights) => void
}

/**
 * Selects the role and permissions for a task. A task is offered only if one role covers it and the signed-in
 * user has all its permissions.
 */
export function TaskField({ roles, onPick }: Props) {
  const { t } = useTranslation('users')
  const id = useId()
  const rights = useRights()
  const [chosen, setChosen] = useState<Task | ''>('')
  const smallest = roles.toSorted((a, b) => a.permissions.length - b.permissions.length)
  const offeredTasks = tasks.flatMap((task) => {
    const covers = ({ permissions }: Role) => TASKS[task].every((permission) => permissions.includes(permission) && rights.has(permission))
    const role = smallest.find(covers)
    return role ? [{ task, role }] : []
  })
  if (offeredTasks.length === 0) return null
  function pick(next: string) {
    const option = offeredTasks.find(({ task }) => task === next)
    setChosen(option?.task ?? '')
    onPick(option ? { roles: [option.role.id], permissions: TASKS[option.task] } : { roles: [], permissions: null })
  }
  return (
    <FieldShell id={id} label={t('task.label')} help={t('task.help')} error={null}>
      <NativeSelect value={chosen} onChange={(event) => pick(event.target.value)} inputProps={{ id, 'aria-describedby': `${id}-help` }}>
        <option value="">{t('task.none')}</option>
        {offeredTasks.map(({ task }) => (
          <option key={task} value={task}>
            {t(`task.${task}`)}
          </option>
        ))}
      </NativeSelect>
    </FieldShell>
  )
}
