/** Nothing waits for its turn. */
export const EVERYTHING = process.env.STALHOF_SWEEP === 'all'

const ROTATION = Number(process.env.STALHOF_ROTATION)

/** True if the test with this number among its like has this turn; the commit decides. */
export const isDue = (number: number, turn: number, turns: number) => EVERYTHING || (number + ROTATION) % turns === turn
