import Button from '@mui/material/Button'
import type { LucideIcon } from 'lucide-react'
import { useAddressParams } from '~/lib/address-params'
import { keepTenant } from '~/session/tenant'

interface Props {
  field: string
  value: string
  icon: LucideIcon
  /** Label of the switch while the rows are hidden; `hide` is the one while they are shown. */
  show: string
  hide: string
}

/** Switch between the rows of a list and those that it leaves out by default, by a different filter. */
export function FilterSwitch({ field, value, icon: Icon, show, hide }: Props) {
  const [params, changeParams] = useAddressParams()
  const isActive = params.get(`f.${field}`) === value
  return (
    <Button
      variant="outlined"
      startIcon={<Icon size={18} aria-hidden />}
      aria-pressed={isActive}
      onClick={() =>
        changeParams((before) => {
          const next = new URLSearchParams(keepTenant(before.toString()))
          if (!isActive) next.set(`f.${field}`, value)
          return next
        })
      }
    >
      {isActive ? hide : show}
    </Button>
  )
}
