import { useQuery } from '@tanstack/react-query'
import type { MatchSuggestion } from '~/api/schema'
import { useListState } from '~/kit/table/use-list-state'
import { useCan } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { unresolvedNumbers } from './api'
import { unresolvedNumber } from './resource'

const NONE: ReadonlyMap<number, MatchSuggestion> = new Map()

/** Best suggestion for each number on the current page of the list. */
export function useSuggestions(): ReadonlyMap<number, MatchSuggestion> {
  const { state } = useListState(unresolvedNumber.ns, unresolvedNumbers.spec)
  const mayView = useCan('matching.view')
  const enabled = useTenant().tenantId !== null && mayView
  const { data } = useQuery({ ...unresolvedNumbers.suggestions(state), enabled, select: bestSuggestions })
  return data ?? NONE
}

const bestSuggestions = ({ data }: { data: { id: number; suggestions: MatchSuggestion[] }[] }) =>
  new Map(data.flatMap(({ id, suggestions: [first] }) => (first ? [[id, first] as const] : [])))
