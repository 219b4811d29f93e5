import useMediaQuery from '@mui/material/useMediaQuery'

/** True on touch devices, which most probably have no keyboard. */
export const useCoarsePointer = () => useMediaQuery('(pointer: coarse)', { noSsr: true })
