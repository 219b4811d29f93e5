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
import { grouped } from './tree'

const EXAMPLE = 'all(cart_weight >= 10 t, not(weekday in (saturday)))'

interface Props {
  value: Condition | null
  onChange: (value: Condition | null) => void
  readOnly: boolean
  /** True if it cannot be collapsed. */
  open?: boolean
}

/** Conditions as one line of text, to copy, edit and paste. */
export function TextForm({ value, onChange, readOnly, open: always = false }: Props) {
  const { t } = useTranslation('conditions')
  const id = useId()
  const [opened, setOpen] = useState(false)
  const open = always || opened
  return (
    <Box sx={{ mt: always ? 0 : 1 }}>
      {!always && (
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
        <Box id={id} sx={{ mt: always ? 0 : 1 }}>
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
  const whole = value !== null && checkConditions(value).length === 0
  const printed = usePreview(conditionsOptions, whole ? { conditions: value } : null)
  const text = whole ? (printed.data?.text ?? '') : ''
  /** Text that the user has typed or pasted; null while it is the tree's own text. */
  const [draft, setDraft] = useState<string | null>(null)
  const [faults, setFaults] = useState<readonly ConditionsFault[]>([])
  const [failed, setFailed] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const [before, setBefore] = useState<{ tree: Condition | null; after: string } | null>(null)
  const own = JSON.stringify(value)
  // after a manual change of the tree, undoing the text would lose that change
  useEffect(() => {
    setBefore((known) => (known && known.after !== own ? null : known))
  }, [own])

  const type = (next: string | null) => {
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
    const given = (draft ?? '').trim()
    setPending(true)
    try {
      const next = given === '' ? null : await readConditions({ text: given })
      if (next && !next.conditions) {
        setFaults(next.faults)
        go(next.faults[0]?.position ?? 1, draft ?? '')
        return
      }
      const tree = grouped(next?.conditions ?? null)
      setBefore({ tree: value, after: JSON.stringify(tree) })
      onChange(tree)
      type(null)
    } catch (error) {
      setFailed(errorText(error))
    } finally {
      setPending(false)
    }
  }

  /** Selects the character at a position, which counts from the start of the trimmed text that was sent. */
  function go(position: number, within: string) {
    const at = within.length - within.trimStart().length + [...within.trim()].slice(0, position - 1).join('').length
    field.current?.focus()
    field.current?.setSelectionRange(at, Math.min(at + 1, within.length))
  }

  const wrong = faults.length > 0 || failed !== null
  const differs = draft !== null && draft.trim() !== text
  return (
    <FormControl fullWidth error={wrong}>
      <FormLabel htmlFor={id}>{t('text.label')}</FormLabel>
      <OutlinedInput
        id={id}
        inputRef={field}
        value={draft ?? text}
        onChange={(event) => type(event.target.value)}
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
              onClick={() => go(position, draft ?? '')}
              sx={{ p: 0, minWidth: 0, mr: 1, verticalAlign: 'baseline', font: 'inherit', textDecoration: 'underline' }}
            >
              {t('text.fault', { position })}
            </Button>
            {message}
          </FormHelperText>
        ))}
        {before && !differs && <FormHelperText>{t('text.applied')}</FormHelperText>}
        {!wrong && !before && <FormHelperText>{value !== null && !whole ? t('text.incomplete') : t('text.help')}</FormHelperText>}
      </Box>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1, mt: 1 }}>
        {!readOnly && (
          <Button
            size="small"
            variant="outlined"
            startIcon={<Check size={16} aria-hidden />}
            disabled={!differs}
            loading={pending}
            onClick={() => void apply()}
          >
            {t('text.apply')}
          </Button>
        )}
        {differs && (
          <Button size="small" onClick={() => type(null)}>
            {t('text.discard')}
          </Button>
        )}
        {before && !differs && (
          <Button
            size="small"
            variant="outlined"
            onClick={() => {
              onChange(before.tree)
              setBefore(null)
              notify.info(t('text.undone'))
            }}
          >
            {t('common:actions.undo')}
          </Button>
        )}
        <Button size="small" startIcon={<Copy size={16} aria-hidden />} disabled={text === '' || differs} onClick={() => void copy()}>
          {t('text.copy')}
        </Button>
      </Stack>
    </FormControl>
  )
}
