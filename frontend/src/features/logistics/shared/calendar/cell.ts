import { styled } from '@mui/material/styles'

/** Square of a day. Marks differ by shape as well: pale, framed, filled. */
export const DayCell = styled('span')<{ type?: 'button' }>(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    ...theme.typography.body2,
    fontVariantNumeric: 'tabular-nums',
    display: 'grid',
    placeItems: 'center',
    width: '100%',
    height: 30,
    padding: 0,
    border: '1.5px solid transparent',
    borderRadius: 6,
    background: 'none',
    color: palette.text.primary,
    '&[type=button]': { cursor: 'pointer' },
    '&[type=button]:hover': { borderColor: palette.text.secondary },
    '&[data-tone=rest]': { color: palette.text.secondary, backgroundColor: palette.action.hover },
    '&[data-tone=holiday]': { borderColor: palette.accent.main, fontWeight: 600 },
    '&[data-tone=closed]': { backgroundColor: palette.primary.main, color: palette.primary.contrastText, fontWeight: 600 },
    '&[aria-current=date]': { textDecoration: 'underline', textUnderlineOffset: 3, textDecorationThickness: 2 },
    '&:focus-visible': { outlineOffset: 1 },
  }
})
