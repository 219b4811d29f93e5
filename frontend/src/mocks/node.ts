import { getResponse } from 'msw'
import { createDb } from './db'
import { createHandlers } from './handlers'

const handlers = createHandlers(createDb())

/** Answers one request of the development server. */
export async function answer(request: Request): Promise<Response> {
  return (await getResponse(handlers, request)) ?? new Response(null, { status: 404 })
}
