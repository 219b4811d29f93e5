import useMediaQuery from '@mui/material/useMediaQuery'

/** Whether sheets are worked on by fingers, most probably without a keyboard. */
export const useTouched = () => useMediaQuery('(pointer: coarse)', { noSsr: true })
