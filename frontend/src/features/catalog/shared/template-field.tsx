import Chip from '@mui/material/Chip'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { Plus } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FieldShell, useField } from '~/kit/form/field-shell'
import { usePlaceholderWords } from './placeholder-words'

export interface Insertable {
  placeholder: string
  name: string
  state: 'missing' | 'used' | 'free'
}

interface Props<T extends FieldValues, C> {
  control: Control<T, C, FieldValues>
  name: FieldPath<T>
  placeholders: readonly Insertable[]
  /** Reason for which the server would reject the template, or `null`. */
  problem: string | null
}

const COLOR = { missing: 'error', used: 'primary', free: 'default' } as const

/** Input for a template; a click on a placeholder inserts it at the cursor. */
export function TemplateField<T extends FieldValues, C>({ placeholders, problem, ...props }: Props<T, C>) {
  const { t } = useTranslation()
  const words = usePlaceholderWords(useMemo(() => placeholders.map(({ placeholder }) => placeholder), [placeholders]))
  const { field, id, label, help, error: refusal, disabled } = useField(props, words.toWords)
  // the text as typed since focus: replacing words under the cursor would move it
  const [typed, setTyped] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const visited = useRef(false)
  const error = refusal ?? problem
  // the form may change the field meanwhile, for example when a draft is discarded
  const content = typed !== null && words.toNames(typed) === field.value ? typed : words.toWords(field.value)

  function change(text: string) {
    setTyped(text)
    field.onChange(words.toNames(text))
  }

  function insert(placeholder: string) {
    const element = input.current
    if (!element) return
    const end = element.value.length
    const [from, to] = visited.current ? [element.selectionStart ?? end, element.selectionEnd ?? end] : [end, end]
    element.setRangeText(`{${words.word(placeholder)}}`, from, to, 'end')
    change(element.value)
    element.focus()
  }

  return (
    <FieldShell id={id} label={label} help={help} error={error} required>
      <OutlinedInput
        id={id}
        name={field.name}
        value={content}
        disabled={disabled}
        onChange={(event) => change(event.target.value)}
        onFocus={(event) => {
          visited.current = true
          setTyped(event.target.value)
        }}
        onBlur={() => {
          setTyped(null)
          field.onBlur()
        }}
        inputRef={(element: HTMLInputElement | null) => {
          input.current = element
          field.ref(element)
        }}
        inputProps={{
          autoComplete: 'off',
          spellCheck: false,
          maxLength: 255,
          'aria-required': true,
          'aria-describedby': `${id}-help`,
          style: { fontFamily: 'ui-monospace, "Cascadia Mono", Menlo, monospace' },
        }}
      />
      {!disabled && (
        <Stack direction="row" useFlexGap role="group" aria-label={t('template.placeholders')} sx={{ flexWrap: 'wrap', gap: 0.75, mt: 1 }}>
          {placeholders.map(({ placeholder, name, state }) => (
            <Chip
              key={placeholder}
              component="button"
              type="button"
              size="small"
              variant="outlined"
              color={COLOR[state]}
              clickable
              icon={<Plus size={14} aria-hidden />}
              label={name}
              aria-label={t(state === 'missing' ? 'template.insertMissing' : 'template.insert', { name })}
              title={[...new Set([words.word(placeholder), placeholder])].map((one) => `{${one}}`).join(' = ')}
              // keeps the cursor where it is
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insert(placeholder)}
            />
          ))}
        </Stack>
      )}
    </FieldShell>
  )
}
