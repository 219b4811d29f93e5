import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { Crosshair } from 'lucide-react'
import { useCallback, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { forest } from '~/kit/tree/tree'
import { TreeView } from '~/kit/tree/tree-view'
import { NativeSelect } from '~/kit/ui/native-select'
import type { RowAction } from '~/kit/ui/row-menu'
import { type AnswerItem, absolutePointer, pointTo, relativePointer, SHOWN_ENTRIES } from './answer'
import type { MappedField, Pointers } from './mapping'
import { ITSELF } from './schema'

interface Props {
  items: readonly AnswerItem[]
  fields: readonly MappedField[]
  pointers: Pointers
  /** Array that becomes the list if a value is nested in several. */
  listLevel: 'innermost' | 'outermost'
  onPoint: (field: MappedField, pointer: string, list: string | null) => void
}

/** Maximum length of a displayed value; longer ones are cut. */
const TEXT_MAX = 80

/** Containers that are expanded at first: all on the path to the first entries. */
function initiallyOpen(items: readonly AnswerItem[]): ReadonlySet<number> {
  const open = new Map<number, AnswerItem>()
  for (const item of items) {
    const parent = item.parent_id === null ? null : open.get(item.parent_id)
    if (item.kind !== 'value' && (parent === null || (parent && (parent.kind === 'object' || item.key === '0')))) open.set(item.id, item)
  }
  return new Set(open.keys())
}

/** Response as a tree in which the user selects values and maps them to fields. */
export function AnswerTree({ items, fields, pointers, listLevel, onPoint }: Props) {
  const { t } = useTranslation('externalApis')
  const id = useId()
  const tree = useMemo(() => forest(items), [items])
  const [open, setOpened] = useState(() => initiallyOpen(items))
  const isOpen = useCallback((item: number) => open.has(item), [open])
  const [chosen, setChosen] = useState<MappedField | null>(null)
  const missing = fields.filter((field) => !pointers[field])
  // the article number may be missing only if the request is about one article
  const requiredField = missing.find((field) => field === 'quantity' || (field === 'article_number' && listLevel === 'outermost'))
  const target = chosen ?? requiredField ?? missing[0] ?? fields[0] ?? 'quantity'

  const setOpen = (ids: readonly number[], isOpen: boolean) =>
    setOpened((before) => {
      const next = new Set(before)
      for (const itemId of ids) {
        if (isOpen) next.add(itemId)
        else next.delete(itemId)
      }
      return next
    })

  function point(field: MappedField, item: AnswerItem) {
    if (field === 'next_page') onPoint(field, absolutePointer(tree, item.id), null)
    else {
      const { list, pointer } = pointTo(tree, item.id, pointers.list, listLevel)
      onPoint(field, pointer || ITSELF, list)
    }
    setChosen(null)
  }

  /** Fields that a value is mapped to by the pointers of the form. */
  function mappedFields(item: AnswerItem): MappedField[] {
    if (item.kind !== 'value') return []
    const own = relativePointer(tree, item.id, pointers.list)
    const itemPointer = absolutePointer(tree, item.id)
    return fields.filter((field) => {
      const pointer = pointers[field]
      return pointer && (field === 'next_page' ? pointer === itemPointer : pointer === (own || (own === '' ? ITSELF : null)))
    })
  }

  const name = (item: AnswerItem) => item.key ?? t('answer.title')
  const actions = (item: AnswerItem): RowAction[] =>
    item.kind === 'value' ? fields.map((field) => ({ label: t(`is.${field}`), icon: Crosshair, onClick: () => point(field, item) })) : []
  const render = (item: AnswerItem) => (
    <>
      <Typography variant="body2" component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere', flex: 1 }}>
        <Box component="strong" sx={{ fontWeight: 550 }}>
          {name(item)}
        </Box>{' '}
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {textOf(item)}
        </Box>
      </Typography>{' '}
      {mappedFields(item).map((field) => (
        <Chip key={field} size="small" color="primary" label={t(`fields.${field}`)} />
      ))}
    </>
  )
  function textOf({ kind, text, size }: AnswerItem): string {
    if (kind === 'value') return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
    if (kind === 'array' && size > SHOWN_ENTRIES) return t('answer.firstEntries', { size, shown: SHOWN_ENTRIES })
    return t(kind === 'array' ? 'answer.entries' : 'answer.values', { count: size })
  }

  return (
    <Box sx={{ minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1 }}>
        <Typography variant="body2" component="label" htmlFor={id}>
          {t('answer.pointAt')}
        </Typography>
        <NativeSelect value={target} onChange={(event) => setChosen(event.target.value as MappedField)} inputProps={{ id }}>
          {fields.map((field) => (
            <option key={field} value={field}>
              {t(`fields.${field}`)}
            </option>
          ))}
        </NativeSelect>
      </Box>
      <Box sx={{ maxHeight: 480, overflow: 'auto', border: 1, borderColor: 'divider', borderRadius: 1 }}>
        <TreeView
          label={t('answer.title')}
          tree={tree}
          name={name}
          render={render}
          actions={actions}
          isOpen={isOpen}
          setOpen={setOpen}
          onOpen={(item) => (item.kind === 'value' ? point(target, item) : setOpen([item.id], !open.has(item.id)))}
        />
      </Box>
    </Box>
  )
}
