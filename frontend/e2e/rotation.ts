/** True if all tests run, without rotation. */
export const EVERYTHING = process.env.STALHOF_SWEEP === 'all'

const ROTATION = Number(process.env.STALHOF_ROTATION)

/** True if the test with this number runs in this turn of the rotation, which the commit determines. */
export const isDue = (number: number, turn: number, turns: number) => EVERYTHING || (number + ROTATION) % turns === turn
