import Checkbox from '@mui/material/Checkbox'
import { FoldHorizontal, MoveHorizontal, UnfoldHorizontal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { SortableList } from '~/kit/form/sortable-list'
import type { TableColumn } from './columns'
import type { ColumnChoice } from './use-columns'

const STEP = 32

/** Rendered width of a column. */
const renderedWidth = (id: string) => document.querySelector<HTMLElement>(`th[data-column="${id}"]`)?.offsetWidth ?? 0

interface Props<Row> {
  ns: Namespace
  /** All columns in their default order. */
  defaultColumns: readonly TableColumn<Row>[]
  choice: ColumnChoice<Row>
}

/** Settings for visibility, order and width of columns; the first column always stays. */
export function ColumnSettings<Row>({ ns, defaultColumns, choice }: Props<Row>) {
  const { t } = useTranslation('listTools')
  const labels = useLabels(ns)
  const name = ({ id, label }: TableColumn<Row>) => label ?? labels.field(id)
  return (
    <SortableList
      items={choice.all.slice(1)}
      id={(column) => defaultColumns.indexOf(column) + 1}
      name={name}
      tools={(column) => (
        <Checkbox
          size="small"
          checked={choice.isShown(column.id)}
          onChange={() => choice.toggle(column.id)}
          slotProps={{ input: { 'aria-label': t('settings.show', { name: name(column) }) } }}
        />
      )}
      actions={({ id }) => {
        const hidden = choice.isShown(id) ? null : t('settings.hidden')
        const own = choice.width(id) === undefined ? t('settings.isAuto') : null
        return [
          {
            label: t('settings.wider'),
            icon: UnfoldHorizontal,
            blocked: hidden,
            onClick: () => choice.resize(id, renderedWidth(id) + STEP),
          },
          {
            label: t('settings.narrower'),
            icon: FoldHorizontal,
            blocked: hidden,
            onClick: () => choice.resize(id, renderedWidth(id) - STEP),
          },
          { label: t('settings.auto'), icon: MoveHorizontal, blocked: hidden ?? own, onClick: () => choice.resize(id, null) },
        ]
      }}
      onMove={(from, to) => choice.move(from + 1, to + 1)}
    />
  )
}
