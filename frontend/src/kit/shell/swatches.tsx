import Box from '@mui/material/Box'
import FormLabel from '@mui/material/FormLabel'
import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { visuallyHidden } from '~/kit/ui/visually-hidden'

const Choice = styled('label')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    ...theme.typography.caption,
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    minHeight: 40,
    padding: '4px 10px',
    borderRadius: 8,
    border: `1px solid ${palette.divider}`,
    cursor: 'pointer',
    position: 'relative',
    minWidth: 0,
    '&:hover': { backgroundColor: palette.action.hover },
    '&:has(:checked)': { borderColor: palette.primary.main, boxShadow: `inset 0 0 0 1px ${palette.primary.main}`, fontWeight: 600 },
    '&:has(:focus-visible)': { outline: `2px solid ${palette.primary.main}`, outlineOffset: 2 },
  }
})

interface Props<V extends string> {
  label: string
  values: readonly V[]
  value: V
  text: (value: V) => string
  onChange: (value: V) => void
  /** Colours shown side by side for a value. */
  colours: (value: V) => readonly string[]
}

/** Radio buttons that show colours. */
export function Swatches<V extends string>({ label, values, value, text, onChange, colours }: Props<V>) {
  const id = useId()
  return (
    <div role="radiogroup" aria-labelledby={id}>
      <FormLabel id={id} component="div">
        {label}
      </FormLabel>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(128px, 1fr))', gap: 1 }}>
        {values.map((option) => (
          <Choice key={option}>
            <input
              type="radio"
              name={id}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
              style={visuallyHidden}
            />
            <Box
              aria-hidden
              sx={{
                display: 'flex',
                flexShrink: 0,
                width: 28,
                height: 20,
                borderRadius: '5px',
                overflow: 'hidden',
                border: 1,
                borderColor: 'field.main',
              }}
            >
              {colours(option).map((colour) => (
                <span key={colour} style={{ flex: 1, backgroundColor: colour }} />
              ))}
            </Box>
            <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
              {text(option)}
            </Box>
          </Choice>
        ))}
      </Box>
    </div>
  )
}
