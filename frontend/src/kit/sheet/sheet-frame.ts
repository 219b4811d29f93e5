import { styled } from '@mui/material/styles'

/** Maximum width of the first column, so that on a phone the next one still fits. */
export const FIRST = 'max(42cqi, 100cqi - 140px)'

/** Box around the frame that fades out where the sheet continues. */
export const SheetBox = styled('div')({
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  flex: '1 1 auto',
  minHeight: 160,
  '&[data-beyond]::after': {
    content: '""',
    position: 'absolute',
    insetBlock: 1,
    insetInlineEnd: 1,
    zIndex: 4,
    width: 40,
    borderRadius: 8,
    pointerEvents: 'none',
    backgroundImage: 'linear-gradient(90deg, transparent, rgb(0 0 0 / 0.25))',
  },
  '[dir=rtl] &[data-beyond]::after': { transform: 'scaleX(-1)' },
})

/** Styles of the whole sheet. Cells are plain elements, so that thousands of them scroll smoothly. */
export const SheetFrame = styled('div')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  const tint = (colour: string, share: number) => `color-mix(in srgb, ${colour} ${share}%, ${palette.background.paper})`
  return {
    position: 'relative',
    flex: '1 1 auto',
    minHeight: 160,
    // without a limit a scrolling page would make all rows visible, and render them
    maxHeight: 'max(320px, 80dvh)',
    overflow: 'auto',
    overscrollBehavior: 'contain',
    containerType: 'inline-size',
    border: `1px solid ${palette.divider}`,
    borderRadius: 8,
    backgroundColor: palette.background.paper,
    fontSize: '0.875rem',
    fontVariantNumeric: 'tabular-nums',
    '& table': { display: 'block', width: 'max-content', minWidth: '100%' },
    '& thead': { display: 'block', position: 'sticky', top: 0, zIndex: 3 },
    '& tbody': { display: 'block', position: 'relative' },
    '& tr': { display: 'flex', height: 'var(--row)' },
    '& tbody tr': { position: 'absolute', insetInline: 0 },
    '& :is(th, td)': {
      position: 'relative',
      flex: '1 0 var(--width)',
      width: 'var(--width)',
      minWidth: 0,
      display: 'flex',
      alignItems: 'center',
      padding: 0,
      paddingInline: 10,
      textAlign: 'start',
      borderBlockEnd: `1px solid ${palette.divider}`,
      borderInlineEnd: `1px solid ${palette.divider}`,
      backgroundColor: palette.background.paper,
      outline: 'none',
      userSelect: 'none',
    },
    '& :is(th, td):last-child': { borderInlineEnd: 0 },
    '& thead th': {
      fontSize: '0.8125rem',
      fontWeight: 600,
      color: palette.text.secondary,
      backgroundColor: palette.background.default,
    },
    '& tbody th': { fontWeight: 550 },
    '& [data-text]': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '& [data-end]': { justifyContent: 'flex-end' },
    '& td[aria-readonly]': { color: palette.text.secondary },
    '& [data-sticky]': { position: 'sticky', insetInlineStart: 'var(--start)', flexGrow: 0, zIndex: 1 },
    '& [data-sticky]:first-child': { flexBasis: `min(var(--width), ${FIRST})`, width: `min(var(--width), ${FIRST})` },
    // on a phone only the first column is sticky, and its text wraps
    '@container (max-width: 599px)': {
      '& [data-sticky]:not(:first-child)': { position: 'relative', insetInlineStart: 'auto' },
      '& tbody [data-sticky]:first-child [data-text]': {
        fontSize: '0.8125rem',
        lineHeight: 1.1,
        maxHeight: '2.2em',
        whiteSpace: 'normal',
        overflowWrap: 'anywhere',
      },
    },
    '& [data-changed]': {
      backgroundColor: tint(palette.warning.main, 14),
      '&::before': {
        content: '""',
        position: 'absolute',
        insetBlockStart: 0,
        insetInlineStart: 0,
        borderBlockStart: `7px solid ${palette.warning.main}`,
        borderInlineEnd: '7px solid transparent',
      },
    },
    '& [aria-selected=true]': { backgroundColor: tint(palette.primary.main, 14) },
    '& [data-filling]': { outline: `1px dashed ${palette.primary.main}`, outlineOffset: -2 },
    // the conflict bar shows both values and the choice
    '& [data-conflict]': { backgroundColor: tint(palette.error.main, 14) },
    // ambiguous text; the status bar shows how it was read
    '& [data-doubtful] [data-text]': { textDecoration: `underline dotted ${palette.warning.main} 2px`, textUnderlineOffset: 3 },
    '& [aria-invalid]': { boxShadow: `inset 0 -2px 0 ${palette.error.main}`, color: palette.error.main },
    '& [data-problem] > *': { backgroundColor: tint(palette.error.main, 10) },
    '& [data-active]': { outline: `2px solid ${palette.text.secondary}`, outlineOffset: -2 },
    '&:focus-within [data-active]': { outlineColor: palette.primary.main },
    '& :is(input, select)': {
      position: 'absolute',
      inset: 2,
      width: 'calc(100% - 4px)',
      paddingInline: 8,
      border: 0,
      outline: 'none',
      font: 'inherit',
      color: palette.text.primary,
      backgroundColor: palette.background.paper,
    },
    '& [data-end] input': { textAlign: 'end' },
    '& [data-fill]': {
      position: 'absolute',
      zIndex: 2,
      insetBlockEnd: 0,
      insetInlineEnd: 0,
      width: 8,
      height: 8,
      border: `1px solid ${palette.background.paper}`,
      backgroundColor: palette.primary.main,
      cursor: 'crosshair',
      touchAction: 'none',
      // the touch target is larger than the visible handle
      '&::after': { content: '""', position: 'absolute', inset: '-4px' },
      '@media (pointer: coarse)': { width: 12, height: 12, '&::after': { inset: '-10px -2px -2px -10px' } },
    },
    '& [data-text] > button': {
      all: 'unset',
      display: 'block',
      width: '100%',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      cursor: 'pointer',
      textDecoration: 'underline dotted',
      textUnderlineOffset: 3,
    },
    '& :is(tr:hover, [data-active]) [data-text] > button:empty::before': { content: '"+"', color: palette.text.secondary },
    '& [data-waiting]': { display: 'inline-block', width: 56, height: 10, borderRadius: 4, backgroundColor: palette.action.hover },
    '@media (forced-colors: active)': { '& [aria-selected=true]': { outline: '1px solid Highlight', outlineOffset: -1 } },
  }
})
