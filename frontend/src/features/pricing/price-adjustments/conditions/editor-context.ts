import { createContext, useContext } from 'react'
import type { Tree } from './use-tree'

export interface EditorScope {
  tree: Tree
  readOnly: boolean
  /** Path of each node, below the field. */
  paths: ReadonlyMap<string, string>
  /** Returns the error of a node's field, or of the node itself. */
  errorAt: (path: string, field: 'value' | 'unit' | 'op' | 'type' | null) => string | null
  /** Key of the node that is being dragged. */
  dragged: string | null
}

const Context = createContext<EditorScope | null>(null)
export const EditorProvider = Context.Provider

export function useEditor(): EditorScope {
  const scope = useContext(Context)
  if (!scope) throw new Error('a node lies in an editor')
  return scope
}
