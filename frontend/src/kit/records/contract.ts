import type { offers, paths } from '~/api/schema'

/** List endpoints of the contract under `/api/admin`. */
export type ListPath = keyof typeof offers
export type Offer = (typeof offers)[ListPath][number]

export type Query<P extends ListPath> = NonNullable<paths[P]['get']['parameters']['query']>

type At<Path extends string> = Path extends keyof paths ? paths[Path] : never
type Operation<Path extends string, Method extends string> = At<Path> extends { [M in Method]: infer Op } ? Op : never
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Responses<Op> = Op extends { responses: infer All } ? All : never
type Answer<Op> = Json<Responses<Op>[Extract<keyof Responses<Op>, 200 | 201>]>
type RequestBody<Op> = Op extends { requestBody: infer Body } ? Json<Body> : never

/** Response body of a call. */
export type AnswerOf<Path extends string, Method extends string> = Answer<Operation<Path, Method>>
/** Request body of a call. */
export type SentBy<Path extends string, Method extends string> = RequestBody<Operation<Path, Method>>

/** Page of a list. */
export type PageOf<P extends ListPath> = AnswerOf<P, 'get'>
/** Record as the list returns it. */
export type ListedOf<P extends ListPath> = PageOf<P> extends { data: (infer Row)[] } ? Row : never
/** Record as its own endpoint returns it. */
export type RecordOf<P extends ListPath> = AnswerOf<`${P}/{id}`, 'get'>
/** Body that a form sends: all fields are required, except those that a form does not have. */
export type BodyOf<P extends ListPath> = Required<Omit<SentBy<P, 'post'>, 'version' | 'change_articles' | 'release'>>

/** Lists for which the contract offers an operation. */
export type Offering<Offered extends Offer> = { [P in ListPath]: Offered extends (typeof offers)[P][number] ? P : never }[ListPath]
