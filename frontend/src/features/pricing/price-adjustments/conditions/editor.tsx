import { closestCenter, DndContext, type DragEndEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import { Plus } from 'lucide-react'
import { type Ref, useId, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Condition } from '~/api/schema'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { EditorProvider, type EditorScope } from './editor-context'
import { GroupBox } from './group'
import { TextForm } from './text-form'
import { countNodes, DEPTH_MAX, depthOf, NODES_MAX, pathsOf } from './tree'
import { useTree } from './use-tree'

export interface Focusable {
  focus: () => void
}

interface Props {
  label: string
  /** Root group, or null. */
  value: Condition | null
  onChange: (value: Condition | null) => void
  errorAt?: EditorScope['errorAt']
  readOnly?: boolean
  ref?: Ref<Focusable>
  /** True if the text form is shown elsewhere. */
  hidesTextForm?: boolean
}

const NO_ERROR = () => null

/** Editor for a tree of conditions: by mouse, by keyboard, and as text. */
export function ConditionEditor({ label, value, onChange, errorAt = NO_ERROR, readOnly = false, ref, hidesTextForm = false }: Props) {
  const { t } = useTranslation('conditions')
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const tree = useTree(value, onChange, frame)
  const { root } = tree
  const [dragged, setDragged] = useState<string | null>(null)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const paths = useMemo(() => (root ? pathsOf(root) : new Map<string, string>()), [root])
  useImperativeHandle(ref, () => ({
    // errors are marked by then
    focus: () =>
      setTimeout(() => {
        const at = (selector: string) => frame.current?.querySelector<HTMLElement>(selector)
        ;(at('[aria-invalid="true"]') ?? at('[data-part="subject"]') ?? at('[data-part="first"]'))?.focus()
      }),
  }))

  function onDragEnd({ active, over }: DragEndEvent) {
    setDragged(null)
    const place = over?.data.current as { into: string; at: number } | undefined
    if (place) tree.moveTo(String(active.id), place.into, place.at)
  }

  const error = errorAt('', null)
  return (
    <Box ref={frame} role="group" aria-labelledby={id} sx={{ minWidth: 0 }}>
      <FormLabel component="div" id={id} error={error !== null} sx={{ mb: 1 }}>
        {label}
      </FormLabel>
      <EditorProvider value={{ tree, readOnly, paths, errorAt, dragged }}>
        {root ? (
          <DndContext
            sensors={sensors}
            collisionDetection={closestCenter}
            onDragStart={({ active }) => setDragged(String(active.id))}
            onDragCancel={() => setDragged(null)}
            onDragEnd={onDragEnd}
            accessibility={{ screenReaderInstructions: { draggable: t('handleKeys') } }}
          >
            <GroupBox node={root} depth={1} parent={null} />
          </DndContext>
        ) : (
          <Box sx={{ p: 2, border: 1, borderStyle: 'dashed', borderColor: 'divider', borderRadius: 1, typography: 'body2' }}>
            {t('always')}
            {!readOnly && (
              <Box sx={{ mt: 1 }}>
                <Button
                  data-part="first"
                  variant="outlined"
                  size="small"
                  startIcon={<Plus size={16} aria-hidden />}
                  onClick={() => tree.addTest(null)}
                >
                  {t('add.first')}
                </Button>
              </Box>
            )}
          </Box>
        )}
        {error && (
          <FormHelperText error role="alert">
            {error}
          </FormHelperText>
        )}
        {root && (
          <Box sx={{ mt: 0.75, typography: 'caption', color: 'text.secondary', display: 'flex', flexWrap: 'wrap', columnGap: 2 }}>
            <span>{t('limits.nodes', { count: countNodes(root), max: NODES_MAX })}</span>
            <span>{t('limits.depth', { depth: depthOf(root), max: DEPTH_MAX })}</span>
          </Box>
        )}
      </EditorProvider>
      {!hidesTextForm && <TextForm value={value} onChange={onChange} readOnly={readOnly} />}
      <Box role="status" sx={visuallyHidden}>
        {tree.announcement}
      </Box>
    </Box>
  )
}
