import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConditionOperator } from '~/api/schema'
import { NativeSelect } from '~/kit/ui/native-select'
import { useConfig } from '~/session/config'
import { useRights } from '~/session/me'
import { useEditor } from './editor-context'
import { Handle, NodeMenu, RemoveButton } from './node-tools'
import { initialTest, isSubject, operatorsOf, recordsOf, SUBJECTS, valueKind } from './subjects'
import type { GroupNode, TestNode } from './tree'
import { ValueInput } from './value-input'

interface Props {
  node: TestNode
  depth: number
  parent: GroupNode
}

/** Width from which operator and value share a line below the subject. */
const PAIRED = '@container (min-width: 380px)'
/** Width from which a comparison fits on one line. */
const ROOMY = '@container (min-width: 600px)'

/** Marks the input that takes the focus of a new comparison. */
const SUBJECT = { 'data-part': 'subject' }

/** Comparison: subject, operator and value. */
export function TestRow({ node, depth, parent }: Props) {
  const { t } = useTranslation(['conditions', 'whyPrice'])
  const { tree, readOnly, paths, errorAt, dragged } = useEditor()
  const { flags } = useConfig()
  const rights = useRights()
  const id = useId()
  const name = tree.name(node.key)
  const path = paths.get(node.key) ?? ''
  const kind = valueKind(node.type)
  const wide = kind === 'records' || kind === 'weekday'
  const error = errorAt(path, 'value') ?? errorAt(path, 'unit') ?? errorAt(path, 'op') ?? errorAt(path, 'type') ?? errorAt(path, null)
  /** Offers only subjects whose records the user can search; the current one stays. */
  const offered = (type: TestNode['type']) => {
    if (type === node.type) return true
    if (type === 'processing' && !flags.processings) return false
    const records = recordsOf(type)
    return records === null || rights.has(records.permission)
  }

  return (
    <Box
      role="group"
      aria-label={name}
      data-node={node.key}
      sx={{
        display: 'grid',
        alignItems: 'start',
        gap: 0.75,
        gridTemplateColumns: 'auto minmax(0, 1fr) auto',
        [PAIRED]: { gridTemplateColumns: 'auto minmax(0, 1fr) minmax(0, 1fr) auto' },
        // wide enough for "mindestens" and for a date with its year
        [ROOMY]: {
          gridTemplateColumns: `${readOnly ? '' : 'auto '}minmax(0, 1.7fr) minmax(8.5rem, 0.8fr) minmax(9.5rem, 1fr)${readOnly ? '' : ' auto'}`,
        },
        opacity: dragged === node.key ? 0.4 : 1,
        '& select': { py: 1, textOverflow: 'ellipsis' },
        '& input': { py: 1 },
      }}
    >
      {!readOnly && (
        <Box sx={{ pt: 0.25 }}>
          <Handle node={node} />
        </Box>
      )}
      <NativeSelect
        value={node.type}
        disabled={readOnly}
        onChange={({ target: { value } }) => {
          const type = String(value)
          if (isSubject(type)) tree.setTest(node.key, initialTest(type, node))
        }}
        inputProps={{ 'aria-label': t('subjectOf', { node: name }), ...SUBJECT }}
        sx={{
          minWidth: 0,
          gridColumn: readOnly ? '1 / -1' : '2',
          [PAIRED]: { gridColumn: readOnly ? '1 / -1' : '2 / 4' },
          [ROOMY]: { gridColumn: 'auto' },
        }}
      >
        {Object.entries(SUBJECTS).map(([about, types]) => (
          <optgroup key={about} label={t(`subject.${about as keyof typeof SUBJECTS}`)}>
            {types.filter(offered).map((type) => (
              <option key={type} value={type}>
                {t(`whyPrice:conditions.type.${type}`)}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
      <NativeSelect
        value={node.op}
        disabled={readOnly}
        onChange={({ target: { value } }) => tree.setTest(node.key, { op: value as ConditionOperator })}
        inputProps={{ 'aria-label': t('opOf', { node: name }) }}
        sx={{
          minWidth: 0,
          gridColumn: '1 / -1',
          ...(!wide && { [PAIRED]: { gridColumn: '1 / 3' } }),
          [ROOMY]: { gridColumn: wide ? (readOnly ? '2 / 4' : '3 / 5') : 'auto' },
        }}
      >
        {operatorsOf(node.type).map((op) => (
          <option key={op} value={op}>
            {kind === 'date' ? t(`dateOp.${op as 'equals'}`) : t(`op.${op}`)}
          </option>
        ))}
      </NativeSelect>
      <Box
        sx={{
          minWidth: 0,
          gridColumn: '1 / -1',
          ...(!wide && { [PAIRED]: { gridColumn: '3 / -1' } }),
          [ROOMY]: { gridColumn: wide ? (readOnly ? '1 / -1' : '2 / 5') : 'auto' },
        }}
      >
        <ValueInput node={node} id={id} name={name} invalid={error !== null} describedBy={error ? `${id}-error` : undefined} />
        {error && (
          <FormHelperText id={`${id}-error`} error>
            {error}
          </FormHelperText>
        )}
      </Box>
      {!readOnly && (
        <Box sx={{ display: 'flex', gridColumn: 3, gridRow: 1, pt: 0.25, [PAIRED]: { gridColumn: 4 }, [ROOMY]: { gridColumn: 5 } }}>
          <NodeMenu node={node} depth={depth} parent={parent} />
          <RemoveButton node={node} />
        </Box>
      )}
    </Box>
  )
}
