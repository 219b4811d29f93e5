import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import Menu, { type MenuProps } from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { EllipsisVertical, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

export interface RowAction {
  label: string
  icon: LucideIcon
  onClick: () => void
  danger?: boolean
  /** Reason why the action is not possible now; the entry is then shown disabled. */
  blocked?: string | null
}

/** Menu of a row. In lists with a single tab stop, `tabIndex` determines whose button is part of it. */
export function RowMenu({ name, actions, tabIndex }: { name: string; actions: RowAction[]; tabIndex?: number }) {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  if (actions.length === 0) return null
  return (
    <>
      <IconButton
        size="small"
        {...(tabIndex !== undefined && { tabIndex })}
        aria-label={t('list.rowActions', { name })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => {
          event.stopPropagation()
          setAnchor(event.currentTarget)
        }}
      >
        <EllipsisVertical size={18} />
      </IconButton>
      <ActionMenu anchorEl={anchor} open={anchor !== null} actions={actions} onClose={() => setAnchor(null)} />
    </>
  )
}

/** Menu of actions at any anchor. */
export function ActionMenu({
  actions,
  onClose,
  ...menu
}: Omit<MenuProps, 'onClose'> & { actions: readonly RowAction[]; onClose: () => void }) {
  return (
    <Menu {...menu} onClose={onClose} onClick={(event) => event.stopPropagation()}>
      {actions.map(({ label, icon: Icon, onClick, danger, blocked }) => (
        <MenuItem
          key={label}
          disabled={Boolean(blocked)}
          onClick={() => {
            onClose()
            onClick()
          }}
          sx={danger ? { color: 'error.main' } : {}}
        >
          <ListItemIcon sx={{ color: 'inherit' }}>
            <Icon size={18} />
          </ListItemIcon>
          <ListItemText secondary={blocked}>{label}</ListItemText>
        </MenuItem>
      ))}
    </Menu>
  )
}
