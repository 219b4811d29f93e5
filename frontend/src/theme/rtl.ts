import rtlPlugin from '@mui/stylis-plugin-rtl'
import { prefixer } from 'stylis'

/** What emotion does by itself, and left for right. */
export const stylisPlugins = [prefixer, rtlPlugin]
