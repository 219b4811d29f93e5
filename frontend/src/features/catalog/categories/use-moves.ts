import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '~/api/change'
import { isApiError } from '~/api/errors'
import type { CategoryNode } from '~/api/schema'
import { forest, moveItem, positionOf, type TreePosition } from '~/kit/tree/tree'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { categories } from './api'

/**
 * Returns a function that moves a category on the screen first and then on the server, one move after the
 * other; each move can be undone.
 */
export function useMoves(): (id: number, place: TreePosition) => void {
  const { t } = useTranslation('tree')
  const client = useQueryClient()
  const text = useErrorText()
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const waiting = useRef(0)
  const key = categories.tree().queryKey
  const nodes = () => client.getQueryData<{ data: CategoryNode[] }>(key)?.data ?? []
  const show = (change: (list: CategoryNode[]) => CategoryNode[]) =>
    client.setQueryData<{ data: CategoryNode[] }>(key, (before) => before && { ...before, data: change(before.data) })

  function moveText(id: number): string {
    const tree = forest(nodes())
    const node = tree.byId.get(id)
    const siblings = tree.children.get(node?.parent_id ?? null) ?? []
    const at = siblings.findIndex((one) => one.id === id) + 1
    const parent = node?.parent_id == null ? undefined : tree.byId.get(node.parent_id)
    const spot = { at, of: siblings.length }
    return t('moved', { name: node?.name ?? '', place: parent ? t('place.in', { ...spot, parent: parent.name }) : t('place.top', spot) })
  }

  async function send(id: number, name: string, place: TreePosition, back: TreePosition | null): Promise<void> {
    const version = nodes().find((node) => node.id === id)?.version ?? null
    try {
      const saved = await categories.move(id, { ...place, version })
      show((list) => list.map((node) => (node.id === id ? { ...node, version: saved.version } : node)))
      if (back) notify.undoable(moveText(id), () => move(id, back, false))
    } catch (error) {
      const reasons = isApiError(error) ? Object.values(error.fields).flat() : []
      notify.error(t('moveFailed', { name, reason: reasons.join(' ') || text(error) }))
    } finally {
      waiting.current -= 1
      // the server has the latest order, but does not yet include moves that still wait
      if (waiting.current === 0) await refresh()
    }
  }

  function move(id: number, place: TreePosition, undoable = true): void {
    const tree = forest(nodes())
    const node = tree.byId.get(id)
    if (!node) return
    const back = undoable ? positionOf(tree, id) : null
    // a response that is under way does not include this move
    void client.cancelQueries({ queryKey: key })
    show((list) => moveItem(list, id, place))
    waiting.current += 1
    last.current = last.current.then(() => send(id, node.name, place, back))
  }
  return move
}
