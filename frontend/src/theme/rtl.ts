import rtlPlugin from '@mui/stylis-plugin-rtl'
import { prefixer } from 'stylis'

/** Emotion's default plugin, and the one that swaps left and right. */
export const stylisPlugins = [prefixer, rtlPlugin]
