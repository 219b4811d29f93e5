import useMediaQuery from '@mui/material/useMediaQuery'

/** True on touch devices, which most probably have no keyboard. */
export const useTouched = () => useMediaQuery('(pointer: coarse)', { noSsr: true })
