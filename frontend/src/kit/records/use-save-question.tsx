import { type ComponentType, type ReactNode, useState } from 'react'
import { ApiError } from '~/api/errors'

export interface SaveQuestionProps<Row, Body> {
  row: Row
  /** Body that was sent. */
  body: Body
  error: ApiError
  /** True while the answer is being sent. */
  pending: boolean
  /** Sends the same body again, with the answer that the server requires. */
  answer: (answer: object) => void
  onCancel: () => void
}

/** Question of the server before it saves a change: an error that can be answered. */
export interface SaveQuestion<Row, Body> {
  matches: (error: ApiError) => boolean
  View: ComponentType<SaveQuestionProps<Row, Body>>
}

interface Save<Body> {
  submit: (body: Body) => void
  sent: Body | undefined
  error: unknown
  pending: boolean
  reset: () => void
}

/** Shows the server's question until it is answered; it stays while the answer is being sent. */
export function useSaveQuestion<Row, Body>(question: SaveQuestion<Row, Body> | undefined, row: Row | null, save: Save<Body>): ReactNode {
  const [last, setLast] = useState<{ failure: unknown; answered: boolean }>({ failure: null, answered: false })
  if (save.error && save.error !== last.failure) setLast({ failure: save.error, answered: false })
  const { failure, answered } = last
  const error = failure instanceof ApiError ? failure : null
  const { sent } = save
  if (!question || !row || !sent || !error || !(save.error || (save.pending && answered)) || !question.matches(error)) return null
  return (
    <question.View
      // a repeated question starts with fresh state
      key={error.requestId}
      row={row}
      body={sent}
      error={error}
      pending={save.pending}
      answer={(answer) => {
        setLast({ failure, answered: true })
        save.submit({ ...sent, ...answer })
      }}
      onCancel={save.reset}
    />
  )
}
