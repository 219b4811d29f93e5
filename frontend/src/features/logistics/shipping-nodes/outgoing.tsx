import { LegCards } from './leg-cards'

/** Legs that start at a node, with their departures. */
export default function OutgoingLegs() {
  return <LegCards other="receiving_node" />
}
