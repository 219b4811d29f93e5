import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Popover from '@mui/material/Popover'
import Tooltip from '@mui/material/Tooltip'
import { Columns3Cog } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Namespace } from '~/i18n/namespaces'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import type { TableColumn } from './columns'
import type { ColumnChoice } from './use-columns'

const ViewPanel = lazyWithTexts(() => import('./view-panel'), 'reorder')

interface Props<Row> {
  ns: Namespace
  columns: readonly TableColumn<Row>[]
  choice: ColumnChoice<Row>
}

export function ViewSettings<Row>({ ns, columns, choice }: Props<Row>) {
  const { t } = useTranslation('listTools')
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Tooltip title={t('settings.open')}>
        <IconButton aria-label={t('settings.open')} aria-haspopup="dialog" onClick={(event) => setAnchor(event.currentTarget)}>
          <Columns3Cog size={18} />
        </IconButton>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { sx: { width: 380 }, role: 'dialog', 'aria-label': t('settings.open') } }}
      >
        {/* as high as the panel, so that the popover's position stays right */}
        <Suspense fallback={<Box sx={{ height: 210 + columns.length * 47 }} />}>
          <ViewPanel ns={ns} columns={columns as readonly TableColumn<unknown>[]} choice={choice as ColumnChoice<unknown>} />
        </Suspense>
      </Popover>
    </>
  )
}
