import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { ImageOff, ImagePlus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { useObjectUrl } from '~/kit/ui/use-object-url'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { useFieldError } from './field-error'
import { type FieldProps, FieldShell, useField } from './field-shell'
import { FileArea } from './file-field'
import { code, z } from './schema'

/** Value of an image field: the stored image, or a file that will replace it. */
export interface ImageValue {
  /** Version of the stored image; null if there is none or it is to be removed. */
  version: string | null
  file: File | null
}

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
const MAX_MB = 10

/** Validates type and size before the upload; the server also checks the content. */
export const imageSchema = () =>
  z.object({ version: z.nullable(z.string()), file: z.nullable(z.instanceof(File)) }).check(
    z.refine(({ file }) => !file || TYPES.includes(file.type), 'image:type'),
    z.refine(({ file }) => !file || file.size <= MAX_MB << 20, code('fileSize', { max: MAX_MB })),
  )

const RULES = imageSchema()

interface Props<T extends FieldValues, C> extends FieldProps<T, C> {
  /** Stored image, once it is loaded. */
  stored: Blob | null | undefined
  /** Share of the file that is uploaded, from 0 to 1. */
  progress: number | null
}

/**
 * Image that is chosen or dropped, shown immediately, replaced or removed. It is uploaded when the form is
 * submitted.
 */
export function ImageField<T extends FieldValues, C>(props: Props<T, C>) {
  const { field, id, label, help, error, describedBy, disabled } = useField(
    props,
    (value: ImageValue) => value.file?.name ?? (value.version ? 'PNG' : ''),
  )
  const { t } = useTranslation(['image', 'common'])
  const format = useFormat()
  const [isBroken, setIsBroken] = useState(false)
  const [refusal, setRefusal] = useState<{ name: string; message: string } | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const value: ImageValue = field.value
  const url = useObjectUrl(value.file ?? (value.version ? props.stored : null))
  const present = value.file !== null || value.version !== null
  const choose = t(present ? 'replace' : 'choose')
  const refused = useFieldError(refusal ? { type: 'refused', message: refusal.message } : undefined)
  const errorText = refusal && refused ? `${refusal.name}: ${refused}` : error

  function pick(file: File | undefined) {
    if (!file || disabled) return
    const problem = RULES.safeParse({ version: null, file }).error?.issues[0]
    setRefusal(problem ? { name: file.name, message: problem.message } : null)
    if (!problem) field.onChange({ ...value, file })
  }

  /** Rejects a file that the browser cannot show as an image; the earlier value stays. */
  function rejectFile(file: File | null) {
    if (!file) return setIsBroken(true)
    setRefusal({ name: file.name, message: 'image:type' })
    field.onChange({ ...value, file: null })
  }

  function remove() {
    setRefusal(null)
    field.onChange({ version: null, file: null })
    input.current?.focus()
  }

  return (
    <FieldShell id={id} label={label} help={help} error={errorText}>
      <FileArea invalid={errorText !== null} disabled={disabled} onDrop={pick}>
        <input
          id={id}
          ref={(element) => {
            input.current = element
            field.ref(element)
          }}
          name={field.name}
          type="file"
          accept={TYPES.join()}
          disabled={disabled}
          aria-invalid={errorText !== null}
          aria-describedby={[`${id}-chosen`, errorText ? `${id}-help` : describedBy].filter(Boolean).join(' ')}
          style={visuallyHidden}
          onBlur={field.onBlur}
          onChange={(event) => {
            pick(event.target.files?.[0])
            // lets the same file be chosen again after a correction
            event.target.value = ''
          }}
        />
        <Stack direction="row" sx={{ gap: 2, alignItems: 'center', p: 1.5 }}>
          <Box
            sx={{
              display: 'grid',
              placeItems: 'center',
              width: 96,
              height: 96,
              flexShrink: 0,
              borderRadius: 1,
              bgcolor: 'action.hover',
              color: 'text.secondary',
              overflow: 'hidden',
              '& img': { width: '100%', height: '100%', objectFit: 'contain' },
            }}
          >
            {url && (value.file || !isBroken) ? (
              <img src={url} alt="" onError={() => rejectFile(value.file)} />
            ) : isBroken && value.version ? (
              <ImageOff size={26} strokeWidth={1.5} aria-hidden />
            ) : (
              <ImagePlus size={26} strokeWidth={1.5} aria-hidden />
            )}
          </Box>
          <Box sx={{ minWidth: 0, flex: 1 }}>
            <Typography variant="body2" id={`${id}-chosen`} sx={{ overflowWrap: 'anywhere' }}>
              {value.file ? `${value.file.name} · ${format.bytes(value.file.size)}` : t(present ? 'kept' : 'none')}
            </Typography>
            {!disabled && (
              <Stack direction="row" useFlexGap sx={{ gap: 1, mt: 1, flexWrap: 'wrap' }}>
                <Button
                  size="small"
                  variant="outlined"
                  startIcon={<ImagePlus size={16} />}
                  aria-label={`${label}: ${choose}`}
                  onClick={() => input.current?.click()}
                >
                  {choose}
                </Button>
                {present && (
                  <Button
                    size="small"
                    color="inherit"
                    startIcon={<Trash2 size={16} />}
                    aria-label={`${label}: ${t('remove')}`}
                    onClick={remove}
                  >
                    {t('remove')}
                  </Button>
                )}
              </Stack>
            )}
          </Box>
        </Stack>
        {props.progress !== null && (
          <LinearProgress
            variant="determinate"
            value={props.progress * 100}
            aria-label={t('sending')}
            sx={{ borderRadius: '0 0 8px 8px' }}
          />
        )}
      </FileArea>
    </FieldShell>
  )
}
