import { HttpResponse, type RequestHandler } from 'msw'
import { http } from './server'

/** Availability of lines; nothing is known of any. */
export const availability = (): RequestHandler[] => [http.post('/api/v1/availability', () => HttpResponse.json({ data: [] }))]
