/** Styles of fields that only show a value: text in full contrast, without the frame of an input. */
export const readOnlyFieldStyles = {
  '& .MuiOutlinedInput-root.Mui-disabled': {
    backgroundColor: 'transparent',
    '& .MuiOutlinedInput-notchedOutline': { border: 0 },
    '& .MuiInputBase-input': {
      px: 0,
      py: '2px',
      WebkitTextFillColor: 'currentcolor',
      color: 'text.primary',
      // a unit follows its number directly
      '&:is(input)': { width: 'auto', maxWidth: '100%', fieldSizing: 'content' },
    },
    '&:has(input[value=""])::before': { content: '"–"', color: 'text.secondary' },
    '& .MuiSelect-icon, & .MuiNativeSelect-icon, & .MuiAutocomplete-endAdornment': { display: 'none' },
  },
  // no mark for required fields
  '& .MuiFormLabel-root > [aria-hidden]': { display: 'none' },
} as const
