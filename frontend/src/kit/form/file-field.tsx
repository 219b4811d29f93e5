import { styled } from '@mui/material/styles'
import { FileUp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { type FieldProps, FieldShell, useField } from './field-shell'

const Area = styled('div', { shouldForwardProp: (name) => name !== 'over' && name !== 'invalid' })<{ over: boolean; invalid: boolean }>(
  ({ theme, over, invalid }) => {
    const { palette } = theme.vars ?? theme
    return {
      position: 'relative',
      border: `1px dashed ${invalid ? palette.error.main : over ? palette.primary.main : palette.field.main}`,
      borderRadius: 8,
      backgroundColor: over ? palette.action.hover : palette.background.paper,
      '&:hover': { backgroundColor: palette.action.hover },
      '&:has(:focus-visible)': { outline: `2px solid ${palette.primary.main}`, outlineOffset: 2 },
      '& label': {
        display: 'grid',
        justifyItems: 'center',
        gap: 4,
        padding: '24px 16px',
        textAlign: 'center',
        cursor: 'pointer',
        ...theme.typography.body2,
      },
      '& strong': { fontWeight: 600, overflowWrap: 'anywhere' },
      '& small': { ...theme.typography.caption, color: palette.text.secondary },
    }
  },
)

interface AreaProps {
  invalid: boolean
  disabled: boolean
  onDrop: (file: File) => void
  children: ReactNode
}

/** Area on which a file can be dropped. */
export function FileArea({ invalid, disabled, onDrop, children }: AreaProps) {
  const [isDragOver, setIsDragOver] = useState(false)
  return (
    <Area
      over={isDragOver}
      invalid={invalid}
      onDragOver={(event) => {
        event.preventDefault()
        setIsDragOver(true)
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsDragOver(false)
        const dropped = event.dataTransfer.files[0]
        if (dropped && !disabled) onDrop(dropped)
      }}
    >
      {children}
    </Area>
  )
}

/** Form field for one file, dropped or chosen; its value is a `File` or null. */
export function FileField<T extends FieldValues, C>(props: FieldProps<T, C> & { accept: string; onPick?: (file: File) => void }) {
  const { field, id, label, help, error, describedBy, disabled } = useField(props)
  const { t } = useTranslation()
  const format = useFormat()
  const file: File | null = field.value
  const pick = (chosen: File) => {
    field.onChange(chosen)
    props.onPick?.(chosen)
  }

  return (
    <FieldShell id={id} label={label} help={help} error={error} required={props.required}>
      <FileArea invalid={error !== null} disabled={disabled} onDrop={pick}>
        <input
          id={id}
          ref={field.ref}
          name={field.name}
          type="file"
          accept={props.accept}
          disabled={disabled}
          aria-labelledby={`${id}-label`}
          required={props.required === true}
          aria-invalid={error !== null}
          aria-describedby={[`${id}-chosen`, describedBy].filter(Boolean).join(' ')}
          style={visuallyHidden}
          onBlur={field.onBlur}
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            if (chosen) pick(chosen)
            // lets the same file be chosen again after a correction
            event.target.value = ''
          }}
        />
        {/* the field's name stands above; this label makes the whole area clickable */}
        <label htmlFor={id} id={`${id}-chosen`} aria-hidden>
          <FileUp size={24} strokeWidth={1.5} />
          {file ? (
            <>
              <strong>{file.name}</strong>
              <small>
                {format.bytes(file.size)} · {t('form.otherFile')}
              </small>
            </>
          ) : (
            <>
              <strong>{t('form.chooseFile')}</strong>
              <small>{t('form.dropFile')}</small>
            </>
          )}
        </label>
      </FileArea>
    </FieldShell>
  )
}
