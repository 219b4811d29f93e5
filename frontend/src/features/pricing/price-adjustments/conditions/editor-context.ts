import { createContext, useContext } from 'react'
import type { Tree } from './use-tree'

export interface EditorScope {
  tree: Tree
  readOnly: boolean
  /** Where each node lies below the field. */
  paths: ReadonlyMap<string, string>
  /** What is wrong with a field of a node, or with the node itself. */
  errorAt: (path: string, field: 'value' | 'unit' | 'op' | 'type' | null) => string | null
  /** The node that is dragged. */
  dragged: string | null
}

const Context = createContext<EditorScope | null>(null)
export const EditorProvider = Context.Provider

export function useEditor(): EditorScope {
  const scope = useContext(Context)
  if (!scope) throw new Error('a node lies in an editor')
  return scope
}
