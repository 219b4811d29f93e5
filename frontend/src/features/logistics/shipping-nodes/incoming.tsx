import { LegCards } from './leg-cards'

/** Legs that end at a node. */
export default function IncomingLegs() {
  return <LegCards other="sending_node" />
}
