/** Where there is room for all of it side by side: fields, what they come to, and what takes the line away. */
export const WIDE = 'lg'
export const COLUMNS = 'minmax(0, 3fr) minmax(150px, 1.2fr) minmax(0, 1fr) 112px 108px 100px 40px'
