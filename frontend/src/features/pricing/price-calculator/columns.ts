/** Where there is room for all of it side by side: fields, what they come to, and what takes the line away. */
export const WIDE = 'lg'
export const COLUMNS = 'minmax(0, 2.6fr) minmax(150px, 1.1fr) minmax(180px, 1.1fr) 132px 104px 40px'
