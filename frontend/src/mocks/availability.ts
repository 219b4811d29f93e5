import { HttpResponse, type RequestHandler } from 'msw'
import { http } from './server'

/** Availability of lines; always empty. */
export const availability = (): RequestHandler[] => [http.post('/api/v1/availability', () => HttpResponse.json({ data: [] }))]
