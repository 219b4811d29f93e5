/** Breakpoint from which a line fits side by side: fields, results, and the button that removes it. */
export const WIDE = 'lg'
export const COLUMNS = 'minmax(0, 2.6fr) minmax(150px, 1.1fr) minmax(180px, 1.1fr) 132px 104px 40px'
