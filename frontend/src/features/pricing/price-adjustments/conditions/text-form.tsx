import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { Check, ChevronDown, Copy } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Condition, ConditionsFault } from '~/api/schema'
import { usePreview } from '~/kit/form/use-preview'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { conditionsOptions, readConditions } from './api'
import { checkConditions } from './rules'
import { toGroup } from './tree'

const EXAMPLE = 'all(cart_weight >= 10 t, not(weekday in (saturday)))'

interface Props {
  value: Condition | null
  onChange: (value: Condition | null) => void
  readOnly: boolean
  /** True if it cannot be collapsed. */
  open?: boolean
}

/** Conditions as one line of text, to copy, edit and paste. */
export function TextForm({ value, onChange, readOnly, open: alwaysOpen = false }: Props) {
  const { t } = useTranslation('conditions')
  const id = useId()
  const [opened, setOpen] = useState(false)
  const open = alwaysOpen || opened
  return (
    <Box sx={{ mt: alwaysOpen ? 0 : 1 }}>
      {!alwaysOpen && (
        <Button
          size="small"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          endIcon={<ChevronDown size={16} aria-hidden style={{ transform: open ? 'rotate(180deg)' : 'none' }} />}
        >
          {t(open ? 'text.hide' : 'text.show')}
        </Button>
      )}
      {open && (
        <Box id={id} sx={{ mt: alwaysOpen ? 0 : 1 }}>
          <TextPanel value={value} onChange={onChange} readOnly={readOnly} />
        </Box>
      )}
    </Box>
  )
}

function TextPanel({ value, onChange, readOnly }: Omit<Props, 'open'>) {
  const { t } = useTranslation(['conditions', 'common'])
  const errorText = useErrorText()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const isComplete = value !== null && checkConditions(value).length === 0
  const preview = usePreview(conditionsOptions, isComplete ? { conditions: value } : null)
  const text = isComplete ? (preview.data?.text ?? '') : ''
  /** Text that the user has typed or pasted; null while it is the tree's own text. */
  const [draft, setDraft] = useState<string | null>(null)
  const [faults, setFaults] = useState<readonly ConditionsFault[]>([])
  const [failed, setFailed] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const [undoState, setUndoState] = useState<{ tree: Condition | null; after: string } | null>(null)
  const valueKey = JSON.stringify(value)
  // after a manual change of the tree, undoing the text would lose that change
  useEffect(() => {
    setUndoState((previous) => (previous && previous.after !== valueKey ? null : previous))
  }, [valueKey])

  const changeDraft = (next: string | null) => {
    setDraft(next)
    setFaults([])
    setFailed(null)
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      notify.success(t('text.copied'))
    } catch {
      // the clipboard is not available without HTTPS: the user copies the selection
      field.current?.focus()
      field.current?.select()
    }
  }

  async function apply() {
    const trimmed = (draft ?? '').trim()
    setPending(true)
    try {
      const next = trimmed === '' ? null : await readConditions({ text: trimmed })
      if (next && !next.conditions) {
        setFaults(next.faults)
        selectPosition(next.faults[0]?.position ?? 1, draft ?? '')
        return
      }
      const tree = toGroup(next?.conditions ?? null)
      setUndoState({ tree: value, after: JSON.stringify(tree) })
      onChange(tree)
      changeDraft(null)
    } catch (error) {
      setFailed(errorText(error))
    } finally {
      setPending(false)
    }
  }

  /** Selects the character at a position, which counts from the start of the trimmed text that was sent. */
  function selectPosition(position: number, source: string) {
    const at = source.length - source.trimStart().length + [...source.trim()].slice(0, position - 1).join('').length
    field.current?.focus()
    field.current?.setSelectionRange(at, Math.min(at + 1, source.length))
  }

  const hasError = faults.length > 0 || failed !== null
  const isEdited = draft !== null && draft.trim() !== text
  return (
    <FormControl fullWidth error={hasError}>
      <FormLabel htmlFor={id}>{t('text.label')}</FormLabel>
      <OutlinedInput
        id={id}
        inputRef={field}
        value={draft ?? text}
        onChange={(event) => changeDraft(event.target.value)}
        readOnly={readOnly}
        multiline
        minRows={2}
        maxRows={10}
        {...(value === null && { placeholder: EXAMPLE })}
        inputProps={{ spellCheck: false, 'aria-describedby': `${id}-help`, maxLength: 100_000 }}
        sx={{ '& textarea': { fontFamily: 'ui-monospace, monospace', fontSize: '0.8125rem' } }}
      />
      <Box id={`${id}-help`} aria-live="polite">
        {failed && <FormHelperText>{failed}</FormHelperText>}
        {faults.map(({ position, message }) => (
          <FormHelperText key={`${position} ${message}`} component="div">
            <Button
              size="small"
              color="inherit"
              onClick={() => selectPosition(position, draft ?? '')}
              sx={{ p: 0, minWidth: 0, mr: 1, verticalAlign: 'baseline', font: 'inherit', textDecoration: 'underline' }}
            >
              {t('text.fault', { position })}
            </Button>
            {message}
          </FormHelperText>
        ))}
        {undoState && !isEdited && <FormHelperText>{t('text.applied')}</FormHelperText>}
        {!hasError && !undoState && (
          <FormHelperText>{value !== null && !isComplete ? t('text.incomplete') : t('text.help')}</FormHelperText>
        )}
      </Box>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1, mt: 1 }}>
        {!readOnly && (
          <Button
            size="small"
            variant="outlined"
            startIcon={<Check size={16} aria-hidden />}
            disabled={!isEdited}
            loading={pending}
            onClick={() => void apply()}
          >
            {t('text.apply')}
          </Button>
        )}
        {isEdited && (
          <Button size="small" onClick={() => changeDraft(null)}>
            {t('text.discard')}
          </Button>
        )}
        {undoState && !isEdited && (
          <Button
            size="small"
            variant="outlined"
            onClick={() => {
              onChange(undoState.tree)
              setUndoState(null)
              notify.info(t('text.undone'))
            }}
          >
            {t('common:actions.undo')}
          </Button>
        )}
        <Button size="small" startIcon={<Copy size={16} aria-hidden />} disabled={text === '' || isEdited} onClick={() => void copy()}>
          {t('text.copy')}
        </Button>
      </Stack>
    </FormControl>
  )
}
