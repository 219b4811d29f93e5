/** Nothing waits for its turn. */
export const EVERYTHING = process.env.STALHOF_SWEEP === 'all'

const ROTATION = Number(process.env.STALHOF_ROTATION)

/** Whether the one with this number among its like has this turn of so many; the turns move on by one each day. */
export const isDue = (number: number, turn: number, turns: number) => EVERYTHING || (number + ROTATION) % turns === turn
