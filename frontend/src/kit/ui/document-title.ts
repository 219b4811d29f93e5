import { useEffect } from 'react'

const PRODUCT = 'Stalhof'
const stack: { title: string }[] = []

function show() {
  const parts = stack.map((entry) => entry.title).reverse()
  document.title = [...new Set(parts), PRODUCT].join(' \u00b7 ')
}

/** Sets the document's title: "Record · Resource · Product", the innermost component first. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const entry = { title }
    stack.push(entry)
    show()
    return () => {
      stack.splice(stack.indexOf(entry), 1)
      show()
    }
  }, [title])
}
